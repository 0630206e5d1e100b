/**
 * The figures of {@code docs/performance.md}: measures them on masters that it starts itself,
 * judges them by their targets and writes them into the page and into a JSON file beside it. Run by
 * {@code scripts/figures}.
 */
package io.tidemark.benchmarks.figures;
