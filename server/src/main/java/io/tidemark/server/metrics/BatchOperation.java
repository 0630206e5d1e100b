package io.tidemark.server.metrics;

import io.tidemark.api.rpc.Rpc;
import java.util.List;

/**
 * Batch operations that Mooncake counts by call and by item, as {@code
 * master_batch_<name>_<figure>_total}.
 */
public enum BatchOperation {
  EXIST_KEY("exist_key", true, Rpc.BATCH_EXIST_KEY),
  QUERY_IP("query_ip", true, Rpc.BATCH_QUERY_IP),
  REPLICA_CLEAR("replica_clear", true, Rpc.BATCH_REPLICA_CLEAR),
  GET_REPLICA_LIST("get_replica_list", true, Rpc.BATCH_GET_REPLICA_LIST),
  PUT_START("put_start", true, Rpc.BATCH_PUT_START, Rpc.BATCH_UPSERT_START),
  PUT_END("put_end", false, Rpc.BATCH_PUT_END, Rpc.BATCH_UPSERT_END),
  PUT_REVOKE("put_revoke", false, Rpc.BATCH_PUT_REVOKE, Rpc.BATCH_UPSERT_REVOKE);

  /** What is counted of each operation. */
  public enum Figure {
    REQUESTS("requests"),
    /** Calls in which every item failed. */
    FAILURES("failures"),
    /** Calls in which some items failed. */
    PARTIAL_SUCCESSES("partial_successes"),
    ITEMS("items"),
    FAILED_ITEMS("failed_items");

    private final String metricWord;

    Figure(String metricWord) {
      this.metricWord = metricWord;
    }
  }

  private final String metricWord;
  private final boolean emptyFails;
  private final List<Rpc> calls;

  BatchOperation(String metricWord, boolean emptyFails, Rpc... calls) {
    this.metricWord = metricWord;
    this.emptyFails = emptyFails;
    this.calls = List.of(calls);
  }

  List<Rpc> calls() {
    return calls;
  }

  /** Whether a call without items counts as failed, as upstream counts it. */
  boolean emptyFails() {
    return emptyFails;
  }

  /** Name of a counter. */
  public String metric(Figure figure) {
    return "master_batch_" + metricWord + "_" + figure.metricWord + "_total";
  }
}
