package io.tidemark.server.metrics;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.server.metrics.BatchOperation.Figure;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/**
 * Counts requests under Mooncake's names, once each, when it is answered. An error code other than
 * 0 is a failure; a {@code false} of an existence check is not. Any thread; allocates nothing.
 */
public final class RequestMetrics {

  private final Operation[] operationOf = new Operation[Rpc.values().length];
  private final BatchOperation[] batchOf = new BatchOperation[Rpc.values().length];
  private final LongAdder[] requests = adders(Operation.values().length);
  private final LongAdder[] failures = adders(Operation.values().length);
  private final LongAdder[][] batches = new LongAdder[BatchOperation.values().length][];

  public RequestMetrics() {
    for (Operation operation : Operation.values()) {
      operation.calls().forEach(rpc -> operationOf[rpc.ordinal()] = operation);
    }
    for (BatchOperation operation : BatchOperation.values()) {
      operation.calls().forEach(rpc -> batchOf[rpc.ordinal()] = operation);
      batches[operation.ordinal()] = adders(Figure.values().length);
    }
  }

  /** Counts one answered request. */
  public void answered(Request request, Reply reply) {
    int rpc = request.rpc().ordinal();
    BatchOperation batch = batchOf[rpc];
    if (batch != null) {
      countBatch(batch, request, reply);
    } else if (request.rpc() == Rpc.BATCH_REMOVE) {
      int keys = RequestItems.of(request);
      count(Operation.REMOVE, keys, failedItems(request, reply, keys));
    } else if (operationOf[rpc] != null) {
      count(operationOf[rpc], 1, failed(reply) ? 1 : 0);
    }
  }

  /** Requests of an operation so far. */
  public long requests(Operation operation) {
    return requests[operation.ordinal()].sum();
  }

  /** Failed requests of an operation so far. */
  public long failures(Operation operation) {
    return failures[operation.ordinal()].sum();
  }

  /** A figure of a batch operation so far. */
  public long batch(BatchOperation operation, Figure figure) {
    return batches[operation.ordinal()][figure.ordinal()].sum();
  }

  /** Names every counter with its value. */
  void forEach(BiConsumer<String, LongAdder> visitor) {
    for (Operation operation : Operation.values()) {
      visitor.accept(operation.requestsMetric(), requests[operation.ordinal()]);
      visitor.accept(operation.failuresMetric(), failures[operation.ordinal()]);
    }
    for (BatchOperation operation : BatchOperation.values()) {
      for (Figure figure : Figure.values()) {
        visitor.accept(operation.metric(figure), batches[operation.ordinal()][figure.ordinal()]);
      }
    }
  }

  private void count(Operation operation, int requestCount, int failureCount) {
    requests[operation.ordinal()].add(requestCount);
    failures[operation.ordinal()].add(failureCount);
  }

  private void countBatch(BatchOperation operation, Request request, Reply reply) {
    LongAdder[] figures = batches[operation.ordinal()];
    int items = RequestItems.of(request);
    int failedItems = failedItems(request, reply, items);
    figures[Figure.REQUESTS.ordinal()].increment();
    figures[Figure.ITEMS.ordinal()].add(items);
    figures[Figure.FAILED_ITEMS.ordinal()].add(failedItems);
    if (items == 0 ? operation.emptyFails() : failedItems == items) {
      figures[Figure.FAILURES.ordinal()].increment();
    } else if (failedItems > 0) {
      figures[Figure.PARTIAL_SUCCESSES.ordinal()].increment();
    }
  }

  private static boolean failed(Reply reply) {
    if (reply instanceof Reply.One one) {
      return !one.result().isOk();
    }
    if (reply instanceof Reply.Many many) {
      return failedResults(many) > 0;
    }
    return reply instanceof Reply.RpcError;
  }

  /** Items without success: results with an error, or items that the answer's one list lacks. */
  private static int failedItems(Request request, Reply reply, int items) {
    if (reply instanceof Reply.Many many) {
      return failedResults(many);
    }
    if (reply instanceof Reply.One one && one.result().isOk()) {
      boolean listsItems =
          request instanceof Request.BatchQueryIp || request instanceof Request.BatchReplicaClear;
      return listsItems && one.result().value() instanceof List<?> list
          ? Math.max(0, items - list.size())
          : 0;
    }
    return items;
  }

  private static int failedResults(Reply.Many many) {
    int count = 0;
    List<? extends Result<?>> results = many.results();
    for (int i = 0; i < results.size(); i++) {
      if (!results.get(i).isOk()) {
        count++;
      }
    }
    return count;
  }

  private static LongAdder[] adders(int count) {
    LongAdder[] adders = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }
}
