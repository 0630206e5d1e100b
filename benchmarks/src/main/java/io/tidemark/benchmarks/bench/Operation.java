package io.tidemark.benchmarks.bench;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.benchmarks.FrameTemplate;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a connection is doing: which operation, on which keys, how far it is. One for each
 * connection, used again and again. One thread.
 */
final class Operation {
  private static final long NONE = -1;

  private final Requests requests;
  private final KeySpace keys;
  private final SplittableRandom random;
  private final long[] numbers;
  private final int[] failures;
  private Op op = Op.GET;
  private int count;
  private boolean ending;
  private long own = NONE;

  Operation(Requests requests, KeySpace keys, int batch, long seed) {
    this.requests = requests;
    this.keys = keys;
    this.random = new SplittableRandom(seed);
    this.numbers = new long[batch];
    this.failures = new int[batch];
  }

  /** Forgets the connection's own key: it was removed with all others. */
  void forgetOwn() {
    own = NONE;
  }

  /**
   * Begins the next operation of a phase.
   *
   * @return the first request, or null if the phase would need more keys than there may be
   */
  FrameTemplate begin(BenchPhase phase) {
    op = phase.next(random, own != NONE);
    count = op.isBatch() ? numbers.length : 1;
    ending = false;
    if (op.fillsKeys()) {
      long from = keys.take(count);
      if (from < 0) {
        return null;
      }
      for (int i = 0; i < count; i++) {
        numbers[i] = from + i;
      }
    } else if (op == Op.PUT_OWN) {
      numbers[0] = keys.takeOwn();
    } else if (op == Op.REMOVE_OWN) {
      numbers[0] = own;
    } else {
      for (int i = 0; i < count; i++) {
        numbers[i] = keys.any(random);
      }
    }
    return patched();
  }

  /** The call whose answer is outstanding. */
  Rpc call() {
    return ending ? op.second() : op.first();
  }

  private FrameTemplate patched() {
    FrameTemplate template = requests.of(call());
    for (int i = 0; i < count; i++) {
      template.key(i, keys.prefix(), numbers[i]);
    }
    return template;
  }

  /**
   * Takes the answer to the outstanding call.
   *
   * @return the operation's next request, or null if it is over and counted
   * @throws IOException if the answer is none to this call
   */
  FrameTemplate answered(Reply reply, Tally tally) throws IOException {
    boolean anyDone = note(reply);
    if (op.hasTwoCalls() && !ending && anyDone) {
      ending = true;
      return patched();
    }
    for (int i = 0; i < count; i++) {
      if (failures[i] == 0) {
        tally.done();
        succeeded(numbers[i]);
      } else {
        tally.failed(failures[i]);
      }
    }
    return null;
  }

  private void succeeded(long number) {
    switch (op) {
      case PUT, BATCH_PUT -> keys.stored(number);
      case PUT_OWN -> own = number;
      case REMOVE_OWN -> {
        keys.ownGone(number);
        own = NONE;
      }
      default -> {
        // Reads change nothing.
      }
    }
  }

  /** Notes what the answer says of each key; the first failure of a key stays. */
  private boolean note(Reply reply) throws IOException {
    if (!ending) {
      Arrays.fill(failures, 0, count, 0);
    }
    if (reply instanceof Reply.RpcError error) {
      Arrays.fill(failures, 0, count, Failures.rpc(error.rpcCode()));
      return false;
    }
    List<? extends Result<?>> results =
        reply instanceof Reply.Many many ? many.results() : List.of(((Reply.One) reply).result());
    if (results.size() != count) {
      throw new IOException(
          call().methodName() + " of " + count + " keys was answered for " + results.size());
    }
    boolean anyDone = false;
    for (int i = 0; i < count; i++) {
      Result<?> result = results.get(i);
      if (failures[i] == 0) {
        failures[i] = Boolean.FALSE.equals(result.value()) ? Failures.ABSENT : result.code();
      }
      anyDone |= failures[i] == 0;
    }
    return anyDone;
  }
}
