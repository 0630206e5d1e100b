package io.tidemark.chaos.endurance;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One connection that puts, gets, upserts and removes keys of its own without a pause, singly and
 * in batches. Which keys are there is not its business: the master evicts all the time. What a call
 * may be answered with is.
 */
final class MixedWorker implements Runnable {
  private static final int KEYS = 20_000;
  private static final int BATCH = 16;
  private static final int MAX_OBJECT_BYTES = 64 << 10;
  private static final String TENANT = "default";

  private static final Set<Integer> OK_ONLY = Set.of(0);
  private static final Set<Integer> START =
      codes(ErrorCode.OBJECT_ALREADY_EXISTS, ErrorCode.NO_AVAILABLE_HANDLE);
  private static final Set<Integer> READ = codes(ErrorCode.OBJECT_NOT_FOUND);
  private static final Set<Integer> REMOVE =
      codes(ErrorCode.OBJECT_NOT_FOUND, ErrorCode.OBJECT_HAS_LEASE);

  private final InetSocketAddress address;
  private final Uuid id;
  private final String prefix;
  private final SplittableRandom random;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  private volatile boolean stop;
  private volatile Throwable failure;
  private MasterConnection master;

  MixedWorker(int number, long seed, InetSocketAddress address) {
    this.address = address;
    this.id = new Uuid(0x50A4, number);
    this.prefix = "soak-" + number + "/";
    this.random = new SplittableRandom(seed * 31 + number);
  }

  @Override
  public void run() {
    try (MasterConnection connection = MasterConnection.open(address, ClientOptions.DEFAULT)) {
      master = connection;
      while (!stop) {
        step(random.nextInt(100));
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
  }

  private void step(int dice) throws IOException {
    if (dice < 35) {
      put(Rpc.PUT_START, Rpc.PUT_END);
    } else if (dice < 65) {
      single(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key(), TENANT), READ);
    } else if (dice < 73) {
      put(Rpc.UPSERT_START, Rpc.UPSERT_END);
    } else if (dice < 80) {
      single(new Request.Remove(key(), random.nextInt(4) == 0, TENANT), REMOVE);
    } else if (dice < 90) {
      batchPut();
    } else {
      many(new Request.BatchGetReplicaList(Rpc.BATCH_GET_REPLICA_LIST, keys(), TENANT), READ);
    }
  }

  private void put(Rpc start, Rpc end) throws IOException {
    String key = key();
    boolean begun =
        single(
            new Request.WriteStart(start, id, key, size(), ReplicateConfig.DEFAULT, TENANT), START);
    if (begun) {
      single(
          new Request.WriteEnd(end, id, key, OptionalLong.empty(), ReplicaType.MEMORY, TENANT),
          OK_ONLY);
    }
  }

  private void batchPut() throws IOException {
    List<String> keys = keys();
    long[] sizes = keys.stream().mapToLong(key -> size()).toArray();
    List<? extends Result<?>> started =
        many(
            new Request.BatchWriteStart(
                Rpc.BATCH_PUT_START, id, keys, sizes, ReplicateConfig.DEFAULT, TENANT),
            START);
    List<String> begun = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (started.get(i).isOk()) {
        begun.add(keys.get(i));
      }
    }
    if (!begun.isEmpty()) {
      List<OptionalLong> none = Collections.nCopies(begun.size(), OptionalLong.empty());
      many(
          new Request.BatchWriteEnd(Rpc.BATCH_PUT_END, id, begun, none, ReplicaType.MEMORY, TENANT),
          OK_ONLY);
    }
  }

  /** Makes a call with one result and gives whether it succeeded. */
  private boolean single(Request request, Set<Integer> allowed) throws IOException {
    if (call(request) instanceof Reply.One one) {
      check(request, one.result(), allowed);
      return one.result().isOk();
    }
    throw new IllegalStateException(request + " was not answered with one result");
  }

  private List<? extends Result<?>> many(Request request, Set<Integer> allowed) throws IOException {
    if (call(request) instanceof Reply.Many many) {
      many.results().forEach(result -> check(request, result, allowed));
      return many.results();
    }
    throw new IllegalStateException(request + " was not answered with a list");
  }

  private Reply call(Request request) throws IOException {
    long begin = System.nanoTime();
    Reply reply = master.call(request);
    slowestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
    calls.incrementAndGet();
    return reply;
  }

  private static void check(Request request, Result<?> result, Set<Integer> allowed) {
    if (result.code() != 0 && !allowed.contains(result.code())) {
      throw new IllegalStateException(
          request.rpc() + " was answered with " + ErrorCode.nameOf(result.code()));
    }
  }

  private static Set<Integer> codes(ErrorCode first, ErrorCode... more) {
    List<Integer> values = new ArrayList<>(List.of(first.value()));
    for (ErrorCode code : more) {
      values.add(code.value());
    }
    return Set.copyOf(values);
  }

  private String key() {
    return prefix + random.nextInt(KEYS);
  }

  /** Different keys. */
  private List<String> keys() {
    int from = random.nextInt(KEYS - BATCH);
    List<String> keys = new ArrayList<>();
    for (int i = from; i < from + BATCH; i++) {
      keys.add(prefix + i);
    }
    return keys;
  }

  private long size() {
    return 1 + random.nextInt(MAX_OBJECT_BYTES);
  }

  void stop() {
    stop = true;
  }

  long calls() {
    return calls.get();
  }

  /** The longest wait for an answer since this was asked last, ms. */
  double takeSlowestMs() {
    return slowestNanos.getAndSet(0) / 1e6;
  }

  /** Why it ended before it was told to, or null. */
  Throwable failure() {
    return failure;
  }
}
