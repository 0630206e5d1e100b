/**
 * The coordination store in memory, its clients, and what every coordinator promises. Simulated
 * time, one thread, no chance of its own.
 */
package io.tidemark.testkit.ha;
