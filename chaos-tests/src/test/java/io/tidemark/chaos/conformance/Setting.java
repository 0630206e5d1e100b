package io.tidemark.chaos.conformance;

import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.Release;
import java.util.LinkedHashMap;
import java.util.Map;

/** How both masters of the exact arm are started: which timeouts are short. */
enum Setting {
  /** Nothing runs out. */
  CALM(600_000, 600, 1_200, 3_600, 3_600, 420),
  /** Read leases run out. */
  LEASES(1_500, 600, 1_200, 3_600, 3_600, 420),
  /** Unfinished writes may be replaced, and are given up. */
  WRITES(600_000, 2, 5, 3_600, 3_600, 120),
  /** Silent clients are suspected, then given up. */
  LIVENESS(600_000, 600, 1_200, 3, 4, 260);

  /** Longest time after a write's release timeout until upstream gives it up (section 13.3). */
  static final long RELEASE_LAG_MS = 7_000;

  /** Longest time after a TTL until either master notices that a client is silent. */
  static final long LIVENESS_LAG_MS = 1_200;

  private final long leaseMs;
  private final long discardSec;
  private final long releaseSec;
  private final long activeSec;
  private final long suspicionSec;
  private final int steps;

  Setting(
      long leaseMs,
      long discardSec,
      long releaseSec,
      long activeSec,
      long suspicionSec,
      int steps) {
    this.leaseMs = leaseMs;
    this.discardSec = discardSec;
    this.releaseSec = releaseSec;
    this.activeSec = activeSec;
    this.suspicionSec = suspicionSec;
    this.steps = steps;
  }

  long leaseMs() {
    return leaseMs;
  }

  long discardMs() {
    return discardSec * 1_000;
  }

  long releaseMs() {
    return releaseSec * 1_000;
  }

  long activeMs() {
    return activeSec * 1_000;
  }

  long suspicionMs() {
    return suspicionSec * 1_000;
  }

  int steps() {
    return steps;
  }

  /** Whether a release has what this setting is about: suspicion came with v0.3.14. */
  boolean appliesTo(Release release) {
    return this != LIVENESS || release == Release.V0_3_14;
  }

  /** The flags for one master. */
  Map<String, String> flags(MasterProgram program) {
    Map<String, String> flags = new LinkedHashMap<>();
    flags.put("default_kv_lease_ttl", Long.toString(leaseMs));
    flags.put("put_start_discard_timeout_sec", Long.toString(discardSec));
    flags.put("put_start_release_timeout_sec", Long.toString(releaseSec));
    flags.put("eviction_high_watermark_ratio", "1.0");
    flags.put("eviction_ratio", "0");
    boolean old =
        program instanceof MasterProgram.Upstream upstream && upstream.release() != Release.V0_3_14;
    if (old) {
      flags.put("client_ttl", Long.toString(activeSec));
    } else {
      flags.put("client_active_ttl_sec", Long.toString(activeSec));
      flags.put("client_suspicion_ttl_sec", Long.toString(suspicionSec));
    }
    if (program == MasterProgram.TIDEMARK) {
      // Upstream gives the memory of a revoked write back at once.
      flags.put("writer_quarantine_sec", "0");
    }
    return flags;
  }
}
