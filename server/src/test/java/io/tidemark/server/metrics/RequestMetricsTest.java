package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.server.metrics.BatchOperation.Figure;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestMetricsTest {

  private static final Uuid CLIENT = new Uuid(1, 2);
  private final RequestMetrics metrics = new RequestMetrics();

  private void expect(Operation operation, long requests, long failures) {
    assertThat(metrics.requests(operation)).as(operation.requestsMetric()).isEqualTo(requests);
    assertThat(metrics.failures(operation)).as(operation.failuresMetric()).isEqualTo(failures);
  }

  /** Requests, failures, partial successes, items, failed items. */
  private void expect(BatchOperation operation, long... figures) {
    for (Figure figure : Figure.values()) {
      assertThat(metrics.batch(operation, figure))
          .as(operation.metric(figure))
          .isEqualTo(figures[figure.ordinal()]);
    }
  }

  private static Request.BatchExistKey exist(String... keys) {
    return new Request.BatchExistKey(Rpc.BATCH_EXIST_KEY, List.of(keys), "default", 0, 0);
  }

  @Test
  void anErrorIsAFailureAndFalseIsNot() {
    Request exist = new Request.ExistKey(Rpc.EXIST_KEY, "k", "default");
    metrics.answered(exist, Reply.ok(true));
    metrics.answered(exist, Reply.ok(false));
    metrics.answered(exist, Reply.error(ErrorCode.INVALID_PARAMS));
    expect(Operation.EXIST_KEY, 3, 1);
  }

  @Test
  void upsertsCountAsPuts() {
    Request.WriteStart put =
        new Request.WriteStart(Rpc.PUT_START, CLIENT, "k", 1, ReplicateConfig.DEFAULT, "default");
    Request.WriteStart upsert =
        new Request.WriteStart(
            Rpc.UPSERT_START, CLIENT, "k", 1, ReplicateConfig.DEFAULT, "default");
    metrics.answered(put, Reply.error(ErrorCode.OBJECT_ALREADY_EXISTS));
    metrics.answered(upsert, Reply.ok(List.of()));
    expect(Operation.PUT_START, 2, 1);
  }

  @Test
  void aBatchCountsCallsAndItems() {
    metrics.answered(exist("a", "b"), new Reply.Many(List.of(Result.ok(true), Result.ok(false))));
    metrics.answered(
        exist("a", "b"),
        new Reply.Many(List.of(Result.ok(true), Result.error(ErrorCode.INVALID_PARAMS))));
    metrics.answered(exist("a"), new Reply.Many(List.of(Result.error(ErrorCode.INVALID_PARAMS))));
    expect(BatchOperation.EXIST_KEY, 3, 1, 1, 5, 2);
  }

  @Test
  void anEmptyBatchFailsExceptForEndAndRevoke() {
    metrics.answered(exist(), new Reply.Many(List.of()));
    expect(BatchOperation.EXIST_KEY, 1, 1, 0, 0, 0);
    metrics.answered(
        new Request.BatchWriteEnd(Rpc.BATCH_PUT_END, CLIENT, List.of(), List.of(), 4, "default"),
        new Reply.Many(List.of()));
    expect(BatchOperation.PUT_END, 1, 0, 0, 0, 0);
  }

  @Test
  void batchRemoveCountsAsRemovesOfItsKeys() {
    metrics.answered(
        new Request.BatchRemove(List.of("a", "b", "c"), false, "default"),
        new Reply.Many(
            List.of(Result.ok(), Result.error(ErrorCode.OBJECT_NOT_FOUND), Result.ok())));
    expect(Operation.REMOVE, 3, 1);
  }

  @Test
  void unknownClientsOfQueryIpAreFailedItems() {
    metrics.answered(
        new Request.BatchQueryIp(List.of(CLIENT, new Uuid(3, 4), new Uuid(5, 6))),
        Reply.ok(List.of(new Reply.ClientAddresses(CLIENT, List.of("10.0.0.1")))));
    expect(BatchOperation.QUERY_IP, 1, 0, 1, 3, 2);
  }

  @Test
  void anErrorForAWholeBatchFailsEveryItem() {
    metrics.answered(
        new Request.BatchReplicaClear(List.of("a", "b"), CLIENT, "", "default"),
        Reply.error(ErrorCode.INVALID_PARAMS));
    expect(BatchOperation.REPLICA_CLEAR, 1, 1, 0, 2, 2);
  }

  @Test
  void aCallThatIsNotServedFailsUnderItsOwnName() {
    metrics.answered(new Request.Unserved(Rpc.COPY_START, 1), Reply.error(ErrorCode.NOT_SUPPORTED));
    metrics.answered(
        new Request.Unserved(Rpc.BATCH_EVICT_DISK_REPLICA, 3),
        Reply.errors(ErrorCode.NOT_SUPPORTED, 3));
    expect(Operation.COPY_START, 1, 1);
    expect(Operation.EVICT_DISK_REPLICA, 1, 1);
  }

  @Test
  void adminReadsAreNotCounted() {
    metrics.answered(
        new Request.GetReplicaList(Rpc.GET_REPLICA_LIST_FOR_ADMIN, "k", "default"),
        Reply.error(ErrorCode.OBJECT_NOT_FOUND));
    expect(Operation.GET_REPLICA_LIST, 0, 0);
  }

  @Test
  void removeAllHasABareCount() {
    metrics.answered(new Request.RemoveAll(false, ""), new Reply.Bare(3L));
    expect(Operation.REMOVE_ALL, 1, 0);
  }
}
