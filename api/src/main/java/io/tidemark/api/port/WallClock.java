package io.tidemark.api.port;

/** Calendar time, for people only; no decision depends on it (COR-25). */
@FunctionalInterface
public interface WallClock {
  /** Milliseconds since 1970 UTC. Any thread. */
  long millis();
}
