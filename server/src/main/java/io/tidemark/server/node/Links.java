package io.tidemark.server.node;

import io.tidemark.oplog.replication.Link;

/**
 * Streams to other nodes. What happens on them is told to the node on its loop: {@link
 * Node#opened}, {@link Node#message}, {@link Node#closed}. A stream that another node dialed is
 * known from its first message.
 */
@FunctionalInterface
public interface Links {

  /**
   * Dials a leader; returns at once. {@link Node#opened} or {@link Node#closed} follows.
   *
   * @param address {@code HOST:PORT} of its replication service
   */
  Link dial(String address);
}
