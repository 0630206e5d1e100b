/** Counters that the core keeps; soft state, lost at a restart. */
package io.tidemark.core.metrics;
