package io.tidemark.benchmarks.bench;

import io.tidemark.api.rpc.Rpc;

/** One kind of operation: a call, or a put's two. */
enum Op {
  PUT(Rpc.PUT_START, Rpc.PUT_END),
  GET(Rpc.GET_REPLICA_LIST),
  EXIST(Rpc.EXIST_KEY),
  BATCH_PUT(Rpc.BATCH_PUT_START, Rpc.BATCH_PUT_END),
  BATCH_GET(Rpc.BATCH_GET_REPLICA_LIST),
  BATCH_EXIST(Rpc.BATCH_EXIST_KEY),
  /** A put beside the numbered keys, of a key that the same connection removes again. */
  PUT_OWN(Rpc.PUT_START, Rpc.PUT_END),
  REMOVE_OWN(Rpc.REMOVE);

  private final Rpc first;
  private final Rpc second;

  Op(Rpc only) {
    this(only, only);
  }

  Op(Rpc first, Rpc second) {
    this.first = first;
    this.second = second;
  }

  /** The call that begins it. */
  Rpc first() {
    return first;
  }

  /** The call that ends it; the same for an operation of one call. */
  Rpc second() {
    return second;
  }

  boolean hasTwoCalls() {
    return first != second;
  }

  boolean isBatch() {
    return this == BATCH_PUT || this == BATCH_GET || this == BATCH_EXIST;
  }

  /** Whether it writes numbered keys. */
  boolean fillsKeys() {
    return this == PUT || this == BATCH_PUT;
  }
}
