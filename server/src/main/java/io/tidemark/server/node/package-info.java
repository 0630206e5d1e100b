/**
 * A node of a cluster: who it is at the moment, and what it does about it. One thread, the node's
 * loop, calls everything here; nothing waits, reads a clock of its own or throws dice, so that the
 * seeded simulation runs the same classes as production (docs/adr/0016-replication.md).
 */
package io.tidemark.server.node;
