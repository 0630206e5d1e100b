package io.tidemark.server.rpc;

import io.tidemark.api.port.MonotonicClock;
import io.tidemark.server.metrics.ServerMetrics;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes requests that can't be understood visible: counts each, and logs one line per peer, call
 * and reason every ten seconds with the number of lines that it stands for. Any thread.
 */
final class RefusalLog {

  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Peers that are remembered at a time; beyond it, lines are only counted until the interval has
   * passed.
   */
  private static final int MAX_REMEMBERED = 1_000;

  /** What was refused of whom. */
  record Refusal(String rpc, String reason, String release, String peerHost) {}

  private static final class Quiet {
    long untilNanos;
    long suppressed;
  }

  private final ServerMetrics metrics;
  private final MonotonicClock clock;
  private final Map<Refusal, Quiet> quiet = new HashMap<>();

  RefusalLog(ServerMetrics metrics, MonotonicClock clock) {
    this.metrics = metrics;
    this.clock = clock;
  }

  /** Counts a refusal and perhaps logs it. */
  void refused(Refusal refusal, String peerAddress) {
    metrics.refused.increment(refusal.rpc(), refusal.reason(), refusal.release());
    long suppressed = suppressedBefore(refusal);
    if (suppressed >= 0) {
      LOG.warn(
          "event=rpc_refused rpc={} reason={} release={} peer={} not_logged_before={} meaning=\"the client sends"
              + " something that no supported Mooncake release sends for this call\"",
          refusal.rpc(),
          refusal.reason(),
          refusal.release(),
          peerAddress,
          suppressed);
    }
  }

  /** Perhaps logs that an answer's form had to be taken from the default. */
  void ambiguous(Refusal guess, String peerAddress) {
    long suppressed = suppressedBefore(guess);
    if (suppressed >= 0) {
      LOG.warn(
          "event=release_unknown rpc={} answered_as={} peer={} not_logged_before={} meaning=\"the client has sent"
              + " nothing that tells its release; if it is another one it fails with -900 until it writes something;"
              + " --client_wire_version sets what is assumed\"",
          guess.rpc(),
          guess.release(),
          peerAddress,
          suppressed);
    }
  }

  /**
   * How many like it were not logged since the last line, or -1 if this one is not to be logged
   * either.
   */
  private synchronized long suppressedBefore(Refusal refusal) {
    long now = clock.nanos();
    if (quiet.size() >= MAX_REMEMBERED) {
      quiet.values().removeIf(q -> now - q.untilNanos >= 0);
    }
    Quiet state = quiet.get(refusal);
    if (state == null) {
      if (quiet.size() >= MAX_REMEMBERED) {
        return -1;
      }
      state = new Quiet();
      quiet.put(refusal, state);
    } else if (now - state.untilNanos < 0) {
      state.suppressed++;
      return -1;
    }
    long before = state.suppressed;
    state.suppressed = 0;
    state.untilNanos = now + INTERVAL_NANOS;
    return before;
  }
}
