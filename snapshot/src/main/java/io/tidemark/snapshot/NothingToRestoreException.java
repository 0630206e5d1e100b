package io.tidemark.snapshot;

import io.tidemark.api.log.LogPosition;
import java.util.List;

/** There was a state once, and neither a snapshot nor the log gives it. */
public final class NothingToRestoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<RestorePlan.Rejection> rejected;

  NothingToRestoreException(
      LogPosition base, LogPosition end, List<RestorePlan.Rejection> rejected) {
    super(sentence(base, end, rejected));
    this.rejected = rejected;
  }

  /** The snapshots, newest first, each with the reason. */
  public List<RestorePlan.Rejection> rejected() {
    return rejected;
  }

  private static String sentence(
      LogPosition base, LogPosition end, List<RestorePlan.Rejection> rejected) {
    StringBuilder text = new StringBuilder();
    if (end.index() == 0) {
      text.append("the log is empty");
    } else if (base.index() == end.index()) {
      text.append("the log has no entry left behind ").append(end.index());
    } else {
      text.append("the log begins at entry ").append(base.index() + 1);
    }
    text.append(rejected.isEmpty() ? " and there is no snapshot" : " and no snapshot can be used");
    rejected.forEach(rejection -> text.append("; ").append(rejection));
    return text.toString();
  }
}
