package io.tidemark.api.log;

/**
 * Entries were asked for that the log does not have any more: a snapshot holds what they did
 * (COR-26). Not a failure of the log.
 */
public class EntriesRemovedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final LogPosition base;

  /**
   * @param base where the log begins now
   */
  public EntriesRemovedException(long wantedIndex, LogPosition base) {
    super("the log has no entry " + wantedIndex + " any more, it begins behind " + base.index());
    this.base = base;
  }

  /** The position before the first entry that the log still has. */
  public LogPosition base() {
    return base;
  }
}
