package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Member;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Who of the in-sync set lags: a member that has not reached within the time-out what the log's end
 * was at its beginning, or was not heard of for that long. Called by the node's loop.
 */
final class LagWatch {

  /** What a member has to reach, and since when. */
  private record Mark(long index, long sinceNanos) {}

  private final long timeoutNanos;
  private final Map<Member, Mark> marks = new HashMap<>();

  LagWatch(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  /** Forgets members that are not watched any more. */
  void keep(Set<Member> members) {
    marks.keySet().retainAll(members);
  }

  /** The clock made a leap: this process stood still, and nobody can be blamed for it. */
  void restart() {
    marks.clear();
  }

  /**
   * Looks at one member.
   *
   * @param heard whether its stream is alive
   * @return whether it lags
   */
  boolean lags(Member member, long durableIndex, boolean heard, long logEnd, long nowNanos) {
    Mark mark = marks.get(member);
    if (mark == null || (heard && durableIndex >= mark.index())) {
      marks.put(member, new Mark(logEnd, nowNanos));
      return false;
    }
    return nowNanos - mark.sinceNanos() > timeoutNanos;
  }
}
