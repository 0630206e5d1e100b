package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.core.Master;
import io.tidemark.core.MasterConfig;
import io.tidemark.core.Origin;
import io.tidemark.server.config.ServerConfig;
import io.tidemark.server.config.SnapshotConfig;
import io.tidemark.server.config.StorageConfig;
import io.tidemark.server.snapshot.SnapshotRequests.Outcome;
import io.tidemark.snapshot.SnapshotStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A master as the process starts it, on a real directory, without its ports. */
final class SnapshotScene implements AutoCloseable {
  static final Uuid CLIENT = new Uuid(1, 1);
  static final String TENANT = "default";

  /** So large that ranges in quarantine never fill it. */
  private static final long SEGMENT_BYTES = 1L << 36;

  private final Path directory;
  private final SnapshotConfig snapshots;
  LogOpening.Started started;

  private SnapshotScene(Path directory, SnapshotConfig snapshots) {
    this.directory = directory;
    this.snapshots = snapshots;
  }

  /** A started master that takes snapshots only when it is asked. */
  static SnapshotScene start(Path directory) {
    return new SnapshotScene(directory, new SnapshotConfig(true, 1L << 40, 0, 2, 0, false)).start();
  }

  /** As {@link #start(Path)}, with settings of its own. */
  static SnapshotScene start(Path directory, SnapshotConfig snapshots) {
    return new SnapshotScene(directory, snapshots).start();
  }

  private SnapshotScene start() {
    started = LogOpening.start(config(), new CoreFaults((code, why) -> {}));
    started.snapshots().start();
    return this;
  }

  private ServerConfig config() {
    ServerConfig any = TestSettings.server();
    return new ServerConfig(
        any.rpc(),
        any.admin(),
        new StorageConfig(directory, false, OptionalLong.empty(), false),
        any.metadata(),
        MasterConfig.defaults(),
        snapshots);
  }

  Master master() {
    return started.master();
  }

  SnapshotStore store() {
    return new SnapshotStore(directory.resolve("snapshots"));
  }

  /** Dies without a clean stop, and starts again. */
  SnapshotScene restart() {
    return crash().start();
  }

  /** Starts again after {@link #crash}. */
  SnapshotScene restartCrashed() {
    return start();
  }

  SnapshotScene crash() {
    started.snapshots().stop();
    started.opened().log().close(false);
    return this;
  }

  @Override
  public void close() {
    started.role().stop().run();
  }

  /** Takes a snapshot and expects it to work. */
  Outcome snapshot() {
    Outcome outcome = take();
    assertThat(outcome.failure()).isEmpty();
    return outcome;
  }

  Outcome take() {
    return get(started.snapshots().request());
  }

  static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  Reply call(Request request) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    started.master().submit(request, new Origin(1), reply::complete);
    return get(reply);
  }

  SnapshotScene mount(int segments) {
    return mount(1, segments);
  }

  /** Mounts segments with numbers of the caller's choice, which give ids and addresses. */
  SnapshotScene mount(int from, int to) {
    for (int i = from; i <= to; i++) {
      SegmentInfo info =
          new SegmentInfo(
              new Uuid(7, i),
              "m" + i,
              0x7f00_0000_0000L + i * (1L << 40),
              SEGMENT_BYTES,
              "h:" + i,
              "tcp",
              "");
      call(new Request.MountSegment(info, CLIENT));
    }
    return this;
  }

  int code(Reply reply) {
    return ((Reply.One) reply).result().code();
  }

  int putStart(String key, long bytes) {
    return code(
        call(
            new Request.WriteStart(
                Rpc.PUT_START, CLIENT, key, bytes, ReplicateConfig.DEFAULT, TENANT)));
  }

  int putEnd(String key) {
    return code(
        call(
            new Request.WriteEnd(
                Rpc.PUT_END, CLIENT, key, OptionalLong.empty(), ReplicaType.MEMORY, TENANT)));
  }

  void put(String key) {
    assertThat(putStart(key, 1024)).isZero();
    assertThat(putEnd(key)).isZero();
  }

  boolean exists(String key) {
    Reply reply = call(new Request.ExistKey(Rpc.EXIST_KEY, key, TENANT));
    return Boolean.TRUE.equals(((Reply.One) reply).result().value());
  }

  /** Any change. */
  void change(SplittableRandom random) {
    String key = "key-" + random.nextInt(400);
    switch (random.nextInt(8)) {
      case 0 -> call(new Request.Remove(key, random.nextBoolean(), TENANT));
      case 1 ->
          call(
              new Request.WriteStart(
                  Rpc.UPSERT_START, CLIENT, key, 2048, ReplicateConfig.DEFAULT, TENANT));
      case 2 -> call(new Request.WriteRevoke(Rpc.PUT_REVOKE, CLIENT, key, ReplicaType.ALL, TENANT));
      case 3 -> call(new Request.BatchRemove(List.of(key, "key-1"), true, TENANT));
      case 4, 5 -> putEnd(key);
      default -> putStart(key, 1024L * (1 + random.nextInt(3)));
    }
  }

  List<LogEntry> entries(long from) {
    List<LogEntry> entries = new java.util.ArrayList<>();
    started.opened().log().read(from, entries::add);
    return entries;
  }

  /** Damages one byte of a file. */
  static void flip(Path file, long at) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      bytes[(int) at] ^= 8;
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Damages the tables of a snapshot, which makes it useless. */
  static void ruin(String folder) {
    flip(Path.of(folder, "tables-000000.chunk"), 40);
  }

  /** Damages one object of a snapshot. */
  static void damageObject(String folder) {
    flip(Path.of(folder, "objects-000001.chunk"), 60);
  }
}
