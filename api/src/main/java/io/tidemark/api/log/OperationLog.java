package io.tidemark.api.log;

/**
 * The operation log of one node, open for appending.
 *
 * <p>Threads: {@link #append} and {@link #endBatch} are called by the holder of the core role only,
 * one thread at a time but not always the same one. {@link #committedIndex} may be read from any
 * thread. The commit listener runs on the thread that advanced the commit index.
 *
 * <p>Order of duties: append every entry of a batch, then {@code endBatch}; a reply that depends on
 * the batch leaves only once {@code committedIndex} has reached its last entry (COR-01).
 */
public interface OperationLog extends AutoCloseable {

  /** Position of the last appended entry. */
  LogPosition end();

  /**
   * Appends one entry.
   *
   * @param payload encoded events; the log does not keep a reference
   * @throws LogFailureException if the entry may not be in the log as a whole; nothing may be
   *     appended afterwards
   * @throws LogFullException if there is no room for another batch; only thrown for the first entry
   *     of a batch, before anything is written
   */
  void append(EntryHeader header, byte[] payload, int offset, int length);

  /**
   * Makes everything appended so far a candidate for commit. With {@code persist=page} the commit
   * index advances before this returns and no listener call is made for it; with {@code
   * persist=disk} a forced write is requested and the listener is called when it is done.
   */
  void endBatch();

  /** Highest index whose promise of durability holds. Never falls. */
  long committedIndex();

  /**
   * Whether there is room for further batches. While this is false, mutations are refused with a
   * retryable code before anything is decided, so that the log never breaks for lack of space
   * (COR-03).
   *
   * <p>Called by the holder of the core role before each command: a yes also sets room aside for
   * the batch of a usual command, so that it holds whatever happens to the disk meanwhile.
   */
  default boolean hasSpace() {
    return true;
  }

  /**
   * Registers the one listener that is told about commits that happen outside {@link #endBatch}.
   */
  void onCommit(CommitListener listener);

  /**
   * Reads entries from {@code fromIndex} on, in order, up to the present end; stops early if the
   * reader says so.
   */
  void read(long fromIndex, EntryReader reader);

  /**
   * Forces everything to disk and closes; with {@code clean} leaves the clean-stop mark (COR-16).
   */
  void close(boolean clean);

  @Override
  default void close() {
    close(false);
  }

  /** Told about a rise of the commit index, or that the log failed and will not commit further. */
  interface CommitListener {
    void committed(long index);

    void failed(LogFailureException failure);

    /**
     * What was appended so far will not commit for now, though it may later: too few members are in
     * sync. Who waits is told that the outcome is unknown (COR-04). No default: whoever wraps a
     * listener must not forget to pass it on.
     */
    void stalled();
  }

  /** Receives entries. */
  @FunctionalInterface
  interface EntryReader {
    /** Returns whether to go on. */
    boolean entry(LogEntry entry);
  }
}
