package io.tidemark.oplog.replication;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.ReplicaLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Looks for the highest position that leader and standby have in common. Up to it their logs are
 * equal, behind it they are not, since the chain hash of a position covers everything before it.
 * Sixteen positions a round: a log of a thousand million entries takes eight.
 */
final class CommonPointSearch {
  private static final int POSITIONS = 16;

  private final ReplicaLog log;
  private long low;
  private long high;
  private OptionalLong matched = OptionalLong.empty();
  private boolean over;

  /**
   * @param standbyBase first position that the standby can compare
   * @param leaderEnd end of the leader's last whole batch
   */
  CommonPointSearch(ReplicaLog log, long standbyBase, long standbyEnd, long leaderEnd) {
    this.log = log;
    low = Math.max(log.base().index(), standbyBase);
    high = Math.min(standbyEnd, leaderEnd);
    over = low > high;
  }

  /** Whether nothing more has to be asked. */
  boolean isOver() {
    return over;
  }

  /** The result; empty if what is common lies before one of the logs begins. */
  Optional<LogPosition> found() {
    return matched.isPresent() ? log.positionAt(matched.getAsLong()) : Optional.empty();
  }

  /** What to ask next: the highest and the lowest in question, and some between. */
  List<LogPosition> question() {
    List<LogPosition> positions = new ArrayList<>();
    long span = high - low;
    long steps = Math.min(POSITIONS - 1, span);
    long before = -1;
    for (long i = 0; i <= steps; i++) {
      long index = steps == 0 ? low : low + span / steps * i + span % steps * i / steps;
      if (index != before) {
        log.positionAt(index).ifPresent(positions::add);
        before = index;
      }
    }
    over = positions.isEmpty();
    return positions;
  }

  /**
   * Takes an answer.
   *
   * @return whether it can be one to the last question
   */
  boolean answer(OptionalLong highestMatch, OptionalLong lowestMismatch) {
    if (highestMatch.isPresent()) {
      long match = highestMatch.getAsLong();
      if (match < low || match > high) {
        return false;
      }
      matched = highestMatch;
      low = match + 1;
    }
    if (lowestMismatch.isPresent()) {
      long mismatch = lowestMismatch.getAsLong();
      if (mismatch < low || mismatch > high) {
        return false;
      }
      high = mismatch - 1;
    } else if (highestMatch.isEmpty()) {
      return false;
    } else {
      high = low - 1;
    }
    // Without any match the lowest position in question does not match either.
    over = low > high || matched.isEmpty();
    return true;
  }
}
