package io.tidemark.oplog.replication;

import io.tidemark.api.log.LogPosition;
import java.util.Optional;

/**
 * A node's snapshots as replication needs them: one to send to a standby that the log does not
 * reach back to, and a place for one that arrives.
 *
 * <p>Called by the node's loop. What can't be read or written is told as an {@link
 * java.io.UncheckedIOException}, whose message says what and where.
 */
public interface SnapshotShelf {

  /** The newest sound snapshot at or above {@code fromIndex}, opened; empty if there is none. */
  Optional<Outgoing> newest(long fromIndex);

  /**
   * Makes room for a snapshot that arrives.
   *
   * @param bytes how long it will be, all parts together
   */
  Incoming receive(LogPosition position, long bytes);

  /** A snapshot that is sent, as a sequence of bytes. */
  interface Outgoing extends AutoCloseable {

    /** Where the snapshot stands. */
    LogPosition position();

    /** How many bytes it has. */
    long bytes();

    /** The next bytes, at most {@code max} of them; at least one before the end. */
    byte[] read(int max);

    @Override
    void close();
  }

  /** A snapshot that arrives; nobody takes it for one before it is whole. */
  interface Incoming {

    /** Where it says that it stands. */
    LogPosition position();

    /** Takes the next bytes. */
    void write(byte[] part);

    /** Gives it up; what is there of it goes. */
    void abandon();
  }
}
