package io.tidemark.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.WireText;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.core.FaultHandler;
import io.tidemark.core.Master;
import io.tidemark.core.MasterConfig;
import io.tidemark.core.Origin;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A real log in a directory, written by a master on the test's own thread and clock, with one
 * segment {@code m1} of client 1-1.
 */
final class Scenario implements AutoCloseable, FaultHandler {
  static final Uuid C1 = new Uuid(1, 1);
  static final Uuid C2 = new Uuid(2, 2);
  static final long KIB = 1024;
  static final long MIB = 1024 * KIB;
  private static final long WALL_START_MS = 1_700_000_000_000L;

  private final Path directory;
  private final boolean multiTenants;
  private final AtomicLong nanos = new AtomicLong();
  private final SplittableRandom random = new SplittableRandom(42);
  private ChronicleLog log;
  private Master master;

  private Scenario(Path directory, boolean multiTenants) {
    this.directory = directory;
    this.multiTenants = multiTenants;
    start();
  }

  static Scenario in(Path directory) {
    Scenario scenario = new Scenario(directory, false);
    scenario.mount(C1, "m1");
    return scenario;
  }

  static Scenario withTenants(Path directory) {
    Scenario scenario = new Scenario(directory, true);
    scenario.mount(C1, "m1");
    return scenario;
  }

  private void start() {
    log = ChronicleLog.open(LogOptions.defaults(directory).withReserveBytes(1 << 20)).log();
    Master.Ports ports =
        new Master.Ports(
            log,
            nanos::get,
            () -> WALL_START_MS + nanos.get() / 1_000_000,
            random::nextInt,
            Runnable::run,
            this);
    master = Master.start(config(), ports, new Master.TermStart(new Uuid(9, 9), false, false));
  }

  private MasterConfig config() {
    MasterConfig d = MasterConfig.defaults();
    return new MasterConfig(
        d.leaseTtlMs(),
        d.softPinTtlMs(),
        d.maxSoftPinTtlMs(),
        d.allowEvictSoftPinned(),
        d.evictionRatio(),
        d.highWatermarkRatio(),
        d.discardTimeoutMs(),
        d.releaseTimeoutMs(),
        d.writerQuarantineMs(),
        1_000_000_000,
        d.clientSuspicionTtlMs(),
        d.reclaimTimeoutMs(),
        d.allocationStrategy(),
        d.allocatorKind(),
        multiTenants,
        d.rootFsDir(),
        d.clusterId(),
        d.enableDiskEviction(),
        d.quotaBytes(),
        d.serviceVersion(),
        d.inboxCapacity(),
        d.parkedReadCapacity(),
        d.parkTimeoutMs());
  }

  /** The process dies; the log keeps what was written. */
  Scenario crashAndRestart() {
    log.close(false);
    start();
    return this;
  }

  /** An orderly stop, which records the state digest. */
  Scenario stop() {
    master.stop();
    return this;
  }

  ChronicleLog log() {
    return log;
  }

  Master master() {
    return master;
  }

  /** Lets time pass: the clockwork runs every second, and every 10 ms in the last one. */
  Scenario advance(long ms) {
    long left = ms;
    while (left > 0) {
      long step = Math.min(left, left > 1000 ? 1000 : 10);
      nanos.addAndGet(step * 1_000_000);
      left -= step;
      master.tick();
    }
    return this;
  }

  Reply call(Request request) {
    Reply[] answer = new Reply[1];
    master.submit(request, new Origin(1), reply -> answer[0] = reply);
    assertThat(answer[0]).as("answer to " + request.rpc()).isNotNull();
    return answer[0];
  }

  private Scenario expectOk(Request request) {
    assertThat(((Reply.One) call(request)).result().code()).as("code of " + request).isZero();
    return this;
  }

  Scenario mount(Uuid client, String name) {
    return expectOk(new Request.MountSegment(segment(name), client));
  }

  Scenario unmount(Uuid client, String name) {
    return expectOk(new Request.UnmountSegment(segment(name).id(), client));
  }

  private static SegmentInfo segment(String name) {
    long number = name.hashCode() & 0xffffL;
    return new SegmentInfo(
        new Uuid(7, number), name, 0x7f00_0000_0000L + (number << 32), 16 * MIB, name, "tcp", "");
  }

  Scenario putStart(Uuid client, String key, long bytes) {
    return start(Rpc.PUT_START, client, key, bytes, "default");
  }

  Scenario upsertStart(Uuid client, String key, long bytes) {
    return start(Rpc.UPSERT_START, client, key, bytes, "default");
  }

  private Scenario start(Rpc rpc, Uuid client, String key, long bytes, String tenant) {
    return expectOk(
        new Request.WriteStart(
            rpc, client, WireText.encode(key), bytes, ReplicateConfig.DEFAULT, tenant));
  }

  Scenario putEnd(Uuid client, String key) {
    return putEnd(client, key, "default");
  }

  private Scenario putEnd(Uuid client, String key, String tenant) {
    return expectOk(
        new Request.WriteEnd(
            Rpc.PUT_END,
            client,
            WireText.encode(key),
            OptionalLong.empty(),
            ReplicaType.MEMORY,
            tenant));
  }

  Scenario put(String key, long bytes) {
    return putStart(C1, key, bytes).putEnd(C1, key);
  }

  Scenario put(String key) {
    return put(key, KIB);
  }

  Scenario putOfTenant(String key, String tenant) {
    return start(Rpc.PUT_START, C1, key, KIB, tenant).putEnd(C1, key, tenant);
  }

  Scenario revoke(Uuid client, String key) {
    return expectOk(
        new Request.WriteRevoke(Rpc.PUT_REVOKE, client, key, ReplicaType.MEMORY, "default"));
  }

  Scenario remove(String key, boolean force) {
    return expectOk(new Request.Remove(key, force, "default"));
  }

  /** A read, which grants a lease. */
  Scenario get(String key) {
    return expectOk(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, "default"));
  }

  Scenario removeAll() {
    call(new Request.RemoveAll(true, "default"));
    return this;
  }

  /** Starts of many keys in one batch. */
  Scenario batchStart(Uuid client, List<String> keys, long bytes) {
    long[] lengths = new long[keys.size()];
    Arrays.fill(lengths, bytes);
    call(
        new Request.BatchWriteStart(
            Rpc.BATCH_PUT_START, client, keys, lengths, ReplicateConfig.DEFAULT, "default"));
    return this;
  }

  @Override
  public void commandFailed(String command, RuntimeException broken) {
    throw new AssertionError(command + " failed", broken);
  }

  @Override
  public void termEnded(String why, Throwable cause) {
    throw new AssertionError(why, cause);
  }

  /** As a process that dies: no mark, no digest. */
  @Override
  public void close() {
    log.close(false);
  }
}
