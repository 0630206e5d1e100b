/**
 * What the load generator ({@code bench}) and the table of figures ({@code figures}) share: request
 * bytes that are made once and then only patched, so that on a small machine the generator takes
 * little from the master under test, and the processor time of a process.
 */
package io.tidemark.benchmarks;
