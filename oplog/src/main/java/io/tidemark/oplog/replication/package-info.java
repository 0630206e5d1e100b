/**
 * The replication protocol, both sides, as state machines without threads, clocks or chance of
 * their own (docs/adr/0016-replication.md).
 *
 * <p>A standby dials the leader: one stream in each direction for each standby, and every message
 * carries the epoch. {@link io.tidemark.oplog.replication.LeaderReplication} and {@link
 * io.tidemark.oplog.replication.Follower} are called by one thread, the node's loop. {@link
 * io.tidemark.oplog.replication.ReplicatedLog} stands between the core and that loop and is the
 * only class here that several threads use.
 */
package io.tidemark.oplog.replication;
