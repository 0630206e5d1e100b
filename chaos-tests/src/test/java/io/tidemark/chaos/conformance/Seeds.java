package io.tidemark.chaos.conformance;

import java.util.stream.LongStream;

/** Which seeds run. */
final class Seeds {
  private Seeds() {}

  /** The default few, or as many as asked for, or the one that was asked for. */
  static LongStream of(int defaultCount) {
    Long only = Long.getLong("tidemark.conformance.seed");
    if (only != null) {
      return LongStream.of(only);
    }
    return LongStream.rangeClosed(
        1, Integer.getInteger("tidemark.conformance.seeds", defaultCount));
  }
}
