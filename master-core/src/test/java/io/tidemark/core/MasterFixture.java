package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A master on a simulated log, clock and chance, with everything on the test's own thread. Reads
 * like the scenarios: the base has one client C1 that lends one 16 MiB segment named m1.
 */
final class MasterFixture implements FaultHandler {
  static final Uuid C1 = new Uuid(1, 1);
  static final Uuid C2 = new Uuid(2, 2);
  static final String TENANT = "default";
  static final long KIB = 1024;
  static final long MIB = 1024 * KIB;
  static final long BASE_ADDRESS = 0x7f00_0000_0000L;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong wallMs = new AtomicLong(1_700_000_000_000L);
  private final long seed;
  private MasterConfig config;
  private SimulatedLog log;
  private Master master;
  private long lastConnection = 1;
  private int starts;
  final List<String> faults = new ArrayList<>();

  /** Rests of background work, in ns; they take no time. */
  final List<Long> rests = new ArrayList<>();

  private final ScanThread scans =
      new ScanThread() {
        @Override
        public void execute(Runnable task) {
          task.run();
        }

        @Override
        public void rest(long restNanos) {
          rests.add(restNanos);
        }
      };

  private MasterFixture(MasterConfig config, SimulatedLog.Mode mode, long seed) {
    this.config = config;
    this.seed = seed;
    this.log = new SimulatedLog(mode);
    start(false);
  }

  /** The base of the scenarios. */
  static MasterFixture base() {
    return withSegments(1);
  }

  /** Segments m1 … mN of 16 MiB, all of C1. */
  static MasterFixture withSegments(int count) {
    return with(TestConfig.defaults(), count);
  }

  static MasterFixture with(MasterConfig config, int segments) {
    MasterFixture fixture = new MasterFixture(config, SimulatedLog.Mode.PAGE, 42);
    for (int i = 1; i <= segments; i++) {
      fixture.mount(C1, "m" + i, 16 * MIB);
    }
    return fixture;
  }

  /** Commits wait for {@link SimulatedLog#force}; only the term's first entry is forced for it. */
  static MasterFixture onDisk(MasterConfig config) {
    return new MasterFixture(config, SimulatedLog.Mode.DISK, 42);
  }

  static MasterFixture withSeed(MasterConfig config, long seed) {
    return new MasterFixture(config, SimulatedLog.Mode.PAGE, seed);
  }

  private void start(boolean dropMemory) {
    SplittableRandom random = new SplittableRandom(seed + ++starts);
    Master.Ports ports =
        new Master.Ports(log, nanos::get, wallMs::get, random::nextInt, scans, this);
    AtomicBoolean started = new AtomicBoolean();
    SimulatedLog starting = log;
    Thread disk = new Thread(() -> forceUntil(starting, started), "simulated disk");
    disk.start();
    try {
      master = Master.start(config, ports, new Master.TermStart(new Uuid(9, 9), dropMemory, false));
    } finally {
      started.set(true);
      join(disk);
    }
  }

  private static void forceUntil(SimulatedLog log, AtomicBoolean over) {
    while (!over.get()) {
      if (log.end().index() > log.committedIndex()) {
        log.force();
      }
      Thread.onSpinWait();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      throw new AssertionError("interrupted", stopped);
    }
  }

  // ---- life

  /** The process dies and starts again on what the log kept. */
  MasterFixture crashAndRestart() {
    log = log.crash();
    start(false);
    return this;
  }

  /** The host loses power: what was not forced is gone. */
  MasterFixture losePowerAndRestart() {
    log = log.powerLoss();
    start(false);
    return this;
  }

  /** The host restarted; the end of the log may be missing (COR-13). */
  MasterFixture restartAfterHostReboot() {
    log = log.crash();
    start(true);
    return this;
  }

  MasterFixture stopAndRestart(UnaryOperator<MasterConfig> change) {
    master.stop();
    log = log.crash();
    config = change.apply(config);
    start(false);
    return this;
  }

  /** Lets time pass; the clockwork runs every 10 ms up to a second, then once a second. */
  MasterFixture advance(long ms) {
    long left = ms;
    while (left > 0) {
      long step = Math.min(left, left > 1000 ? 1000 : 10);
      nanos.addAndGet(step * 1_000_000);
      left -= step;
      master.tick();
    }
    return this;
  }

  /** Moves the clock without running the clockwork. */
  MasterFixture advanceSilently(long ms) {
    nanos.addAndGet(ms * 1_000_000);
    return this;
  }

  /** Sets the wall clock, which nothing may depend on. */
  MasterFixture wallClock(long ms) {
    wallMs.set(ms);
    return this;
  }

  MasterState state() {
    return master.state();
  }

  MasterFixture tick() {
    master.tick();
    return this;
  }

  Master master() {
    return master;
  }

  SimulatedLog log() {
    return log;
  }

  MasterView view() {
    return master.view();
  }

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

  /** Digest of a fresh replay of the log. */
  long replayedDigest() {
    Replayer replayer = new Replayer(AllocatorKind.OFFSET);
    entries().forEach(replayer::entry);
    return replayer.digest();
  }

  /** Running state and a replay of the log agree, and the accounts of memory are in order. */
  void assertReplayAgrees() {
    Invariants.check(state());
    assertThat(replayedDigest())
        .as("digest of a replay of the log")
        .isEqualTo(view().stateDigest());
    assertThat(faults).isEmpty();
  }

  @Override
  public void commandFailed(String command, RuntimeException broken) {
    throw new AssertionError("decision on " + command + " failed", broken);
  }

  @Override
  public void termEnded(String why, Throwable cause) {
    faults.add(why);
  }

  // ---- calls

  /** Calls and expects the answer before the call returns. */
  Reply call(Request request) {
    return call(request, lastConnection);
  }

  Reply call(Request request, long connection) {
    Pending pending = send(request, connection);
    assertThat(pending.reply).as("answer to " + request.rpc()).isNotNull();
    return pending.reply;
  }

  /** An answer that may still be to come. */
  static final class Pending implements ReplySink {
    Reply reply;

    @Override
    public void reply(Reply answer) {
      assertThat(reply).as("first answer").isNull();
      reply = answer;
    }
  }

  Pending send(Request request, long connection) {
    Pending pending = new Pending();
    master.submit(request, new Origin(connection), pending);
    return pending;
  }

  Pending send(Request request) {
    return send(request, lastConnection);
  }

  long metric(CoreMetric metric) {
    return view().metrics().get(metric);
  }

  void closeConnection() {
    master.connectionClosed(lastConnection);
    lastConnection++;
  }

  static int code(Reply reply) {
    return ((Reply.One) reply).result().code();
  }

  static List<Integer> codes(Reply reply) {
    List<Integer> codes = new ArrayList<>();
    ((Reply.Many) reply).results().forEach(result -> codes.add(result.code()));
    return codes;
  }

  @SuppressWarnings("unchecked")
  static <T> T value(Reply reply) {
    Result<?> result = ((Reply.One) reply).result();
    assertThat(result.code()).as("code of the answer").isZero();
    return (T) result.value();
  }

  // ---- segments

  SegmentInfo segment(String name, long sizeBytes) {
    long number = name.hashCode() & 0xffffL;
    return new SegmentInfo(
        new Uuid(7, number), name, BASE_ADDRESS + number * (1L << 32), sizeBytes, name, "tcp", "");
  }

  int mount(Uuid client, String name, long sizeBytes) {
    return code(call(new Request.MountSegment(segment(name, sizeBytes), client)));
  }

  int mount(Uuid client, SegmentInfo segment) {
    return code(call(new Request.MountSegment(segment, client)));
  }

  int remount(Uuid client, SegmentInfo... segments) {
    return code(call(new Request.ReMountSegment(List.of(segments), client)));
  }

  int unmount(Uuid client, String name) {
    return code(call(new Request.UnmountSegment(segment(name, 0).id(), client)));
  }

  Reply.PingResponse ping(Uuid client) {
    return value(call(new Request.Ping(client)));
  }

  // ---- writes

  static ReplicateConfig replicas(long count) {
    ReplicateConfig d = ReplicateConfig.DEFAULT;
    return new ReplicateConfig(
        count,
        0,
        0,
        d.softPinAction(),
        d.softPinTtlMs(),
        false,
        d.preferredSegments(),
        "",
        d.preferredNofSegments(),
        false,
        0,
        "",
        d.groupIds());
  }

  Reply putStart(Uuid client, String key, long bytes, ReplicateConfig config) {
    return call(new Request.WriteStart(Rpc.PUT_START, client, key, bytes, config, TENANT));
  }

  Reply putStart(Uuid client, String key, long bytes) {
    return putStart(client, key, bytes, ReplicateConfig.DEFAULT);
  }

  Reply upsertStart(Uuid client, String key, long bytes, ReplicateConfig config) {
    return call(new Request.WriteStart(Rpc.UPSERT_START, client, key, bytes, config, TENANT));
  }

  Reply upsertStart(Uuid client, String key, long bytes) {
    return upsertStart(client, key, bytes, ReplicateConfig.DEFAULT);
  }

  int putEnd(Uuid client, String key, int replicaType, OptionalLong checksum) {
    return code(
        call(new Request.WriteEnd(Rpc.PUT_END, client, key, checksum, replicaType, TENANT)));
  }

  int putEnd(Uuid client, String key) {
    return putEnd(client, key, ReplicaType.MEMORY, OptionalLong.empty());
  }

  int upsertEnd(Uuid client, String key) {
    OptionalLong none = OptionalLong.empty();
    int memory = ReplicaType.MEMORY;
    return code(call(new Request.WriteEnd(Rpc.UPSERT_END, client, key, none, memory, TENANT)));
  }

  int putRevoke(Uuid client, String key, int replicaType) {
    return code(call(new Request.WriteRevoke(Rpc.PUT_REVOKE, client, key, replicaType, TENANT)));
  }

  /** PutStart and PutEnd by C1. */
  List<ReplicaDescriptor> put(String key, long bytes, ReplicateConfig config) {
    List<ReplicaDescriptor> replicas = value(putStart(C1, key, bytes, config));
    assertThat(putEnd(C1, key)).isZero();
    return replicas;
  }

  List<ReplicaDescriptor> put(String key) {
    return put(key, KIB, ReplicateConfig.DEFAULT);
  }

  // ---- reads and removals

  Reply get(String key) {
    return call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, TENANT));
  }

  /** Code of a read that grants no lease. */
  int peek(String key) {
    return code(call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST_FOR_ADMIN, key, TENANT)));
  }

  List<ReplicaDescriptor> readable(String key) {
    Reply.ReplicaList list =
        value(call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST_FOR_ADMIN, key, TENANT)));
    return list.replicas();
  }

  boolean exists(String key) {
    return MasterFixture.<Boolean>value(call(new Request.ExistKey(Rpc.EXIST_KEY, key, TENANT)));
  }

  int remove(String key, boolean force) {
    return code(call(new Request.Remove(key, force, TENANT)));
  }

  static int codeOf(ErrorCode code) {
    return code.value();
  }

  static ReplicaDescriptor.Memory memory(ReplicaDescriptor replica) {
    return (ReplicaDescriptor.Memory) replica;
  }
}
