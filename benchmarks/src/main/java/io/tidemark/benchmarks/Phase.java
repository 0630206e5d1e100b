package io.tidemark.benchmarks;

import java.util.Locale;

/** What one phase of a load does over and over. */
enum Phase {
  /** PutStart, then PutEnd: one operation. */
  PUT,
  /** GetReplicaList of a key that this connection has put. */
  GET,
  /** BatchPutStart, then BatchPutEnd; the keys are counted. */
  BATCHPUT,
  /** BatchGetReplicaList; the keys are counted. */
  BATCHGET;

  static Phase of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  boolean isBatch() {
    return this == BATCHPUT || this == BATCHGET;
  }

  boolean writes() {
    return this == PUT || this == BATCHPUT;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
