package io.tidemark.oplog.replication;

/** A standby's state is not what the log says the leader's was (COR-28). */
public class DigestMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long index;
  private final long ownDigest;
  private final long leaderDigest;

  /**
   * @param index entry that holds the leader's digest
   */
  public DigestMismatchException(long index, long ownDigest, long leaderDigest) {
    super(
        String.format(
            "at entry %d the state's digest is %016x, the leader's was %016x",
            index, ownDigest, leaderDigest));
    this.index = index;
    this.ownDigest = ownDigest;
    this.leaderDigest = leaderDigest;
  }

  public long index() {
    return index;
  }

  public long ownDigest() {
    return ownDigest;
  }

  public long leaderDigest() {
    return leaderDigest;
  }
}
