/** Snapshots of a real master that is killed while it takes them. */
package io.tidemark.chaos.snapshot;
