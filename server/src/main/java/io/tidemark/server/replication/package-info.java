/**
 * Streams between masters: one gRPC call with messages in both directions for each standby, {@code
 * tidemark.v1.Replication/Follow}. A message of the call is a message of {@link
 * io.tidemark.oplog.replication.MessageCodec} as it is, without generated code around it
 * (docs/adr/0018-ha-process.md).
 *
 * <p>Whatever happens is told to the node's loop; in a master that is the streams' own event loop
 * (docs/adr/0024-path-of-a-commit.md). Every buffer has a bound, and a stream that would exceed it
 * is closed.
 */
package io.tidemark.server.replication;
