package io.tidemark.benchmarks.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** What one phase of a load does over and over. */
enum BenchPhase {
  /** PutStart, then PutEnd: one operation. */
  PUT,
  /** GetReplicaList. */
  GET,
  /** ExistKey. */
  EXIST,
  /** BatchPutStart, then BatchPutEnd: one operation. */
  BATCH_PUT,
  /** BatchGetReplicaList. */
  BATCH_GET,
  /** BatchExistKey. */
  BATCH_EXIST,
  /** Of ten operations six gets, two exists, and two that put a key or remove it again. */
  MIXED;

  private static final int MIXED_ALL = 10;
  private static final int MIXED_GETS = 6;
  private static final int MIXED_READS = 8;

  /** The phase of a name as {@link #toString} gives it. */
  static Optional<BenchPhase> of(String name) {
    return Arrays.stream(values()).filter(p -> p.toString().equals(name)).findFirst();
  }

  /** All names, for messages. */
  static String names() {
    return Arrays.stream(values()).map(BenchPhase::toString).collect(Collectors.joining(", "));
  }

  boolean isBatch() {
    return this == BATCH_PUT || this == BATCH_GET || this == BATCH_EXIST;
  }

  /** Whether it writes key after key; the others need keys that are there. */
  boolean fillsKeys() {
    return this == PUT || this == BATCH_PUT;
  }

  /**
   * The next operation of a connection.
   *
   * @param holdsOwn whether the connection has put a key of its own and not removed it
   */
  Op next(SplittableRandom random, boolean holdsOwn) {
    return switch (this) {
      case PUT -> Op.PUT;
      case GET -> Op.GET;
      case EXIST -> Op.EXIST;
      case BATCH_PUT -> Op.BATCH_PUT;
      case BATCH_GET -> Op.BATCH_GET;
      case BATCH_EXIST -> Op.BATCH_EXIST;
      case MIXED -> mixed(random.nextInt(MIXED_ALL), holdsOwn);
    };
  }

  private static Op mixed(int dice, boolean holdsOwn) {
    if (dice < MIXED_GETS) {
      return Op.GET;
    }
    if (dice < MIXED_READS) {
      return Op.EXIST;
    }
    return holdsOwn ? Op.REMOVE_OWN : Op.PUT_OWN;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
