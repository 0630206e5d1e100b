package io.tidemark.chaos.conformance;

import java.util.ArrayList;
import java.util.List;

/**
 * One thing that the loose arm does.
 *
 * @param sizeBytes of a put or upsert
 * @param replicas of a put
 */
record LooseOp(Kind kind, String key, long sizeBytes, int replicas) {

  /** What is done. */
  enum Kind {
    PUT,
    PUT_SOFT_PINNED,
    PUT_HARD_PINNED,
    /** A put that is never ended. */
    PUT_LEFT_OPEN,
    PUT_REVOKED,
    UPSERT,
    GET,
    EXIST,
    REMOVE
  }

  static final int SEGMENTS = 4;
  static final long SEGMENT_BYTES = 16L << 20;
  private static final int SMALLEST = 1_000;
  private static final int MORE = 15_000;

  /** The operations of one seed: together they put several times what the segments hold. */
  static List<LooseOp> script(long seed, int puts) {
    Dice dice = new Dice(seed);
    List<LooseOp> ops = new ArrayList<>();
    for (int i = 0; i < puts; i++) {
      String key = "loose/" + i;
      long size = SMALLEST + dice.below(MORE);
      int replicas = dice.oneIn(10) ? 2 : 1;
      ops.add(new LooseOp(putKind(dice.below(200)), key, size, replicas));
      String earlier = "loose/" + (i - dice.below(Math.min(i + 1, 400)));
      switch (dice.below(12)) {
        case 0, 1 -> ops.add(new LooseOp(Kind.GET, earlier, 0, 0));
        case 2 -> ops.add(new LooseOp(Kind.EXIST, earlier, 0, 0));
        case 3 -> ops.add(new LooseOp(Kind.REMOVE, earlier, 0, 0));
        case 4 -> ops.add(new LooseOp(Kind.UPSERT, earlier, SMALLEST + dice.below(MORE), 1));
        default -> {
          // Only the put.
        }
      }
    }
    return ops;
  }

  private static Kind putKind(int die) {
    if (die < 4) {
      return Kind.PUT_SOFT_PINNED;
    } else if (die < 6) {
      return Kind.PUT_HARD_PINNED;
    } else if (die < 8) {
      return Kind.PUT_LEFT_OPEN;
    }
    return die < 12 ? Kind.PUT_REVOKED : Kind.PUT;
  }
}
