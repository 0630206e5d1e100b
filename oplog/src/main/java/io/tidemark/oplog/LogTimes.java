package io.tidemark.oplog;

/**
 * How long the log takes (HA-REQ-078).
 *
 * @param commit from the end of a batch until it was committed, for a sample of them; filled by
 *     whoever knows what a commit takes, in a cluster all members of the in-sync set
 * @param force a forced write
 */
public record LogTimes(DurationCounts commit, DurationCounts force) {

  /** Nothing so far. */
  public LogTimes() {
    this(new DurationCounts(), new DurationCounts());
  }
}
