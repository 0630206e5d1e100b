package io.tidemark.core.stress;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.core.FaultHandler;
import io.tidemark.core.Master;
import io.tidemark.core.MasterConfig;
import io.tidemark.core.Origin;
import io.tidemark.core.ScanExecutor;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Readers against writers, removals, upserts and eviction on one master, with simulated client
 * memory.
 *
 * <p>A writer stamps the memory that it was given; a reader within its lease must find the stamp of
 * the key it asked for. Every answer is recorded with the commit index before and after, to be held
 * against the log afterwards.
 */
final class StressRun implements FaultHandler {
  private static final Uuid CLIENT = new Uuid(1, 1);
  private static final long SEGMENT_BYTES = 1 << 20;
  private static final long BASE = 1L << 32;
  private static final int CELL_BYTES = 1024;
  private static final int KEYS = 1500;

  /** Keys below this are hard pinned and never removed: a miss of one is false. */
  private static final int PERMANENT_KEYS = 50;

  /** One answer: the replica id that was shown, or a state of {@link KeyHistory}. */
  record Observation(String key, long state, long committedBefore, long committedAfter) {}

  private final long seed;
  private final MasterConfig config;
  private final SimulatedLog log;
  private final Master master;
  private final ScanExecutor scans = new ScanExecutor();
  private final AtomicLongArray memory =
      new AtomicLongArray((int) (SEGMENT_BYTES / CELL_BYTES) + 1);
  private final AtomicBoolean running = new AtomicBoolean(true);
  private final AtomicBoolean forcing = new AtomicBoolean(true);
  private final AtomicLong writes = new AtomicLong();
  final ConcurrentLinkedQueue<Observation> observations = new ConcurrentLinkedQueue<>();
  private final AtomicInteger observed = new AtomicInteger();
  final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

  StressRun(MasterConfig config, SimulatedLog.Mode mode, long seed) {
    this.seed = seed;
    this.config = config;
    this.log = new SimulatedLog(mode);
    if (mode == SimulatedLog.Mode.DISK) {
      startForcing();
    }
    SplittableRandom random = new SplittableRandom(seed);
    Master.Ports ports =
        new Master.Ports(log, System::nanoTime, () -> 0, random::nextInt, scans, this);
    master = Master.start(config, ports, new Master.TermStart(new Uuid(9, 9), false, false));
    SegmentInfo segment =
        new SegmentInfo(new Uuid(5, 5), "m1", BASE, SEGMENT_BYTES, "m1", "tcp", "");
    call(new Request.MountSegment(segment, CLIENT));
  }

  private void startForcing() {
    Thread forcer =
        new Thread(
            () -> {
              while (forcing.get()) {
                log.force();
                Thread.onSpinWait();
              }
            });
    forcer.setDaemon(true);
    forcer.start();
  }

  @Override
  public void commandFailed(String command, RuntimeException broken) {
    violations.add("decision on " + command + " failed: " + broken);
  }

  @Override
  public void termEnded(String why, Throwable cause) {
    violations.add("term ended: " + why);
  }

  /** Enough to have seen most of what can go wrong; a busy machine may need longer for it. */
  private static final int ENOUGH_READS = 2_000;

  private static final int LONGEST_STRETCH = 20;

  /** Runs everybody for a while; longer if little was done, so that it means something. */
  void run(long millis, int readers, int writers) throws InterruptedException {
    for (int i = 0; i < PERMANENT_KEYS; i++) {
      put(key(i), true);
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      long own = seed * 31 + i;
      threads.add(new Thread(() -> loop(own, this::read)));
    }
    for (int i = 0; i < writers; i++) {
      long own = seed * 17 + 1000 + i;
      int writer = i;
      threads.add(new Thread(() -> loop(own, random -> change(random, writer, writers))));
    }
    Thread clock = new Thread(() -> loop(0, random -> tick()));
    threads.add(clock);
    threads.forEach(Thread::start);
    for (int i = 0; i < LONGEST_STRETCH && (i == 0 || observed.get() < ENOUGH_READS); i++) {
      TimeUnit.MILLISECONDS.sleep(millis);
    }
    running.set(false);
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(30));
      if (thread.isAlive()) {
        violations.add(thread + " hangs: an answer never came");
      }
    }
    if (!scans.stop(TimeUnit.SECONDS.toMillis(30))) {
      violations.add("an eviction hangs");
    }
    forcing.set(false);
    log.force();
  }

  private void tick() {
    master.tick();
    Thread.onSpinWait();
  }

  private interface Step {
    void run(SplittableRandom random) throws InterruptedException;
  }

  private void loop(long ownSeed, Step step) {
    SplittableRandom random = new SplittableRandom(ownSeed);
    try {
      while (running.get()) {
        step.run(random);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | AssertionError broken) {
      violations.add("thread with seed " + ownSeed + " broke: " + broken);
    }
  }

  private static String key(int i) {
    return "key-" + i;
  }

  // ---- changes

  /** Every writer has keys of its own: two processes never write as one client. */
  private void change(SplittableRandom random, int writer, int writers) {
    int i = PERMANENT_KEYS + random.nextInt((KEYS - PERMANENT_KEYS) / writers) * writers + writer;
    switch (random.nextInt(10)) {
      case 0 -> call(new Request.Remove(key(i), false, "default"));
      case 1 -> call(new Request.Remove(key(i), true, "default"));
      case 2, 3 -> write(Rpc.UPSERT_START, Rpc.UPSERT_END, key(i), false);
      default -> put(key(i), false);
    }
  }

  private void put(String key, boolean hardPin) {
    write(Rpc.PUT_START, Rpc.PUT_END, key, hardPin);
  }

  private void write(Rpc start, Rpc end, String key, boolean hardPin) {
    ReplicateConfig d = ReplicateConfig.DEFAULT;
    ReplicateConfig replicate =
        new ReplicateConfig(
            1,
            0,
            0,
            0,
            OptionalLong.empty(),
            hardPin,
            List.of(),
            "",
            List.of(),
            false,
            0,
            "",
            d.groupIds());
    Reply reply =
        call(new Request.WriteStart(start, CLIENT, key, CELL_BYTES, replicate, "default"));
    Result<?> result = ((Reply.One) reply).result();
    if (result.isOk()) {
      ReplicaDescriptor.Memory replica =
          (ReplicaDescriptor.Memory) ((List<?>) result.value()).get(0);
      memory.set(cell(replica), key.hashCode());
      call(
          new Request.WriteEnd(end, CLIENT, key, OptionalLong.empty(), ReplicaType.ALL, "default"));
      writes.incrementAndGet();
    }
  }

  private static int cell(ReplicaDescriptor.Memory replica) {
    return (int) ((replica.bufferAddress() - BASE) / CELL_BYTES);
  }

  // ---- reads

  private void read(SplittableRandom random) {
    int i = random.nextInt(4) == 0 ? random.nextInt(PERMANENT_KEYS) : random.nextInt(KEYS);
    String key = key(i);
    long committedBefore = log.committedIndex();
    long askedNanos = System.nanoTime();
    long[] committedAfter = new long[1];
    Reply reply =
        call(
            new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, "default"),
            () -> committedAfter[0] = log.committedIndex());
    Result<?> result = ((Reply.One) reply).result();
    if (result.isOk()) {
      ReplicaDescriptor.Memory replica =
          (ReplicaDescriptor.Memory) ((Reply.ReplicaList) result.value()).replicas().get(0);
      checkBytes(key, replica, askedNanos);
      observe(key, replica.id(), committedBefore, committedAfter[0]);
    } else {
      boolean absent = result.code() == ErrorCode.OBJECT_NOT_FOUND.value();
      if (i < PERMANENT_KEYS) {
        violations.add("permanent " + key + " answered " + ErrorCode.nameOf(result.code()));
      }
      observe(
          key,
          absent ? KeyHistory.ABSENT : KeyHistory.UNREADABLE,
          committedBefore,
          committedAfter[0]);
    }
  }

  private void observe(String key, long state, long before, long after) {
    if (observed.incrementAndGet() <= 2_000_000) { // the queue's own size() counts one by one
      observations.add(new Observation(key, state, before, after));
    }
  }

  /** Within the lease the memory holds the object that was asked for. */
  private void checkBytes(String key, ReplicaDescriptor.Memory replica, long askedNanos) {
    for (int look = 0; look < 3; look++) {
      long stamp = memory.get(cell(replica));
      long elapsedMs = (System.nanoTime() - askedNanos) / 1_000_000;
      if (elapsedMs < config.leaseTtlMs() - 1 && stamp != key.hashCode()) {
        violations.add(key + " read bytes of another object at cell " + cell(replica));
      }
      Thread.yield();
    }
  }

  // ---- calls

  private Reply call(Request request) {
    return call(request, () -> {});
  }

  private Reply call(Request request, Runnable whenAnswered) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    master.submit(
        request,
        new Origin(1),
        reply -> {
          whenAnswered.run();
          answer.complete(reply);
        });
    try {
      return answer.get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException never) {
      throw new IllegalStateException("no answer to " + request.rpc(), never);
    }
  }

  /** All entries of the log. */
  List<LogEntry> entries() {
    List<LogEntry> entries = new ArrayList<>();
    log.read(
        1,
        entry -> {
          entries.add(entry);
          return true;
        });
    return entries;
  }

  Master master() {
    return master;
  }

  /** Writes that went through. */
  long writes() {
    return writes.get();
  }
}
