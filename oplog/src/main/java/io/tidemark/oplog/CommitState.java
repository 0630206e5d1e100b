package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.OperationLog.CommitListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of the log is safe: here, by this node's own promise, and altogether, as far as it knows.
 * And whether the log has failed.
 *
 * <p>Any thread reads. The appending thread and the one that forces write; they meet only where the
 * latter has nothing to do (with {@code persist=page}) or has ended (in a truncation).
 */
final class CommitState implements GroupCommit.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(CommitState.class);

  private final boolean alone;
  private volatile long durable;
  private volatile long known;
  private volatile LogFailureException failure;
  private volatile CommitListener listener = new Nobody();

  /**
   * @param alone whether what is safe here is committed
   */
  CommitState(boolean alone, long durableIndex, long knownCommit) {
    this.alone = alone;
    durable = durableIndex;
    known = knownCommit;
  }

  void listen(CommitListener newListener) {
    listener = newListener;
  }

  /** Highest index that is safe here. */
  long durable() {
    return durable;
  }

  /** Highest index that is known to be committed. */
  long known() {
    return alone ? Math.max(known, durable) : known;
  }

  /** What entry {@code index} carries. */
  long carriedBy(long index) {
    return Math.min(known(), index - 1);
  }

  /** Appending thread: {@code index} is safe without a forced write. */
  void durableNow(long index) {
    durable = index;
  }

  synchronized void note(long index) {
    known = Math.max(known, index);
  }

  /** The log ends at {@code index} from now on, and all of it is safe. */
  synchronized void cutTo(long index) {
    durable = Math.min(durable, index);
    known = Math.min(known, index);
  }

  /** The log begins behind {@code index}, which is committed, and is empty. */
  synchronized void restartAt(long index) {
    durable = index;
    known = index;
  }

  /** Notes the first failure; returns {@code e}. */
  LogFailureException fail(LogFailureException e) {
    if (failure == null) {
      failure = e;
    }
    return e;
  }

  boolean hasFailed() {
    return failure != null;
  }

  void checkNotFailed() {
    LogFailureException before = failure;
    if (before != null) {
      throw new LogFailureException(
          "the log failed before and takes nothing more: " + before.getMessage(), before);
    }
  }

  @Override
  public void committed(long index) {
    if (index > durable) {
      durable = index;
      listener.committed(index);
    }
  }

  @Override
  public void failed(LogFailureException e) {
    listener.failed(fail(e));
  }

  private static final class Nobody implements CommitListener {
    @Override
    public void committed(long index) {}

    @Override
    public void failed(LogFailureException e) {
      LOG.error("the log failed and nobody listens", e);
    }

    @Override
    public void stalled() {}
  }
}
