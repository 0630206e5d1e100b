package io.tidemark.api.port;

/** Time that only goes forward; the one clock that decisions may depend on. */
@FunctionalInterface
public interface MonotonicClock {
  /** Nanoseconds since an arbitrary start. Any thread. */
  long nanos();
}
