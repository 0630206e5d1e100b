package io.tidemark.server.replication;

import io.tidemark.oplog.replication.Link;

/** What streams tell, on the node's loop. */
public interface LinkEvents {

  /** A dialed stream is there. */
  void opened(Link link);

  /** A message arrived, whole and in order. */
  void message(Link link, byte[] message);

  /** A stream is gone that nobody here closed. */
  void closed(Link link);
}
