package io.tidemark.oplog.replication;

/**
 * One end of a stream between a leader and a standby. Messages arrive in order and unchanged, or
 * the stream is closed. Called on the node's loop.
 */
public interface Link {

  /**
   * Sends a message; never waits. If the stream is closed, or its buffer is full, the message is
   * dropped and the stream closed; the node is told by the usual way.
   */
  void send(byte[] message);

  /** Closes both directions; messages that arrive afterwards are not delivered. */
  void close();

  /** Sends a message in its binary form. */
  default void send(Message message) {
    send(MessageCodec.write(message));
  }
}
