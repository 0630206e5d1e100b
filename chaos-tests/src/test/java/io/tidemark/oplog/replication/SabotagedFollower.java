package io.tidemark.oplog.replication;

import io.tidemark.api.log.LogPosition;

/** Keeps what no leader has. */
public final class SabotagedFollower extends Follower {

  public SabotagedFollower(Parts parts, Link link, Events events, long nowNanos) {
    super(parts, link, events, nowNanos);
  }

  @Override
  void cutBehind(LogPosition keep, boolean forcedBranch) {}
}
