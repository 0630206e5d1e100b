package io.tidemark.core;

import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.TENANT;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.core.object.PendingWrite;
import io.tidemark.core.segment.AllocationStrategy;
import io.tidemark.core.table.ObjectCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A client population that does everything it may, legal and not, in an order that a seed decides.
 * Memory is short, timeouts are short, so that every trigger of the master fires too.
 */
final class RandomCommands {
  private static final int KEYS = 150;
  private static final int SEGMENTS = 8;
  private static final List<Uuid> CLIENTS =
      List.of(new Uuid(11, 1), new Uuid(11, 2), new Uuid(11, 3), new Uuid(11, 4));

  private final SplittableRandom random;
  private final MasterFixture m;

  RandomCommands(MasterFixture m, long seed) {
    this.m = m;
    this.random = new SplittableRandom(seed);
  }

  static MasterConfig config(AllocationStrategy strategy) {
    TestConfig config = new TestConfig();
    config.leaseTtlMs = 200;
    config.softPinTtlMs = 2_000;
    config.discardTimeoutMs = 1_000;
    config.releaseTimeoutMs = 3_000;
    config.writerQuarantineMs = 2_000;
    config.clientActiveTtlMs = 4_000;
    config.clientSuspicionTtlMs = 4_000;
    config.reclaimTimeoutMs = 6_000;
    config.highWatermarkRatio = 0.8;
    config.rootFsDir = "/mnt/store";
    config.multiTenants = true;
    config.allocationStrategy = strategy;
    return config.build();
  }

  /** One command, one passing of time, or one accident. */
  void step() {
    int dice = random.nextInt(1000);
    if (dice < 10) {
      accident();
    } else if (dice < 150) {
      time();
    } else if (dice < 300) {
      segments();
    } else if (dice < 620) {
      write();
    } else if (dice < 800) {
      end();
    } else if (dice < 900) {
      read();
    } else {
      remove();
    }
  }

  private void accident() {
    switch (random.nextInt(4)) {
      case 0 -> m.crashAndRestart();
      case 1 -> m.stopAndRestart(config -> config);
      case 2 -> {
        if (random.nextInt(4) == 0) {
          m.restartAfterHostReboot();
        }
      }
      default -> m.wallClock(random.nextLong());
    }
  }

  private void time() {
    switch (random.nextInt(4)) {
      case 0 -> m.advance(random.nextInt(1, 300));
      case 1 -> m.advanceSilently(random.nextInt(1, 2_000));
      case 2 -> m.closeConnection();
      default -> m.tick();
    }
  }

  // ---- segments and clients

  private SegmentInfo segment() {
    int number = random.nextInt(SEGMENTS);
    long base = (number + 1L) * 1024 * KIB;
    String endpoint = "e" + number / 2;
    return new SegmentInfo(
        new Uuid(12, number + 100L * random.nextInt(2)),
        "s" + number / 2,
        base,
        (200 + 8L * number) * KIB,
        endpoint,
        "tcp",
        "host" + number % 3);
  }

  private void segments() {
    Uuid client = client();
    m.master().releaseLearned(client, "v0.3.1" + random.nextInt(5));
    Request request =
        switch (random.nextInt(12)) {
          case 0, 1, 2 -> new Request.MountSegment(segment(), client);
          case 3, 4, 5 -> new Request.ReMountSegment(mountedBy(client), client);
          case 6 -> new Request.ReMountSegment(List.of(segment(), segment()), client);
          case 7 -> new Request.UnmountSegment(segment().id(), client);
          case 8 ->
              new Request.GracefulUnmountSegment(segment().id(), client, random.nextInt(3_000));
          default -> new Request.Ping(client);
        };
    m.call(request);
  }

  private List<SegmentInfo> mountedBy(Uuid client) {
    return m.view().segments().stream()
        .filter(s -> s.clientId().equals(client))
        .map(MasterView.SegmentView::info)
        .toList();
  }

  // ---- objects

  private Uuid client() {
    return CLIENTS.get(random.nextInt(CLIENTS.size()));
  }

  private String key() {
    return random.nextInt(200) == 0 ? "" : "key-" + random.nextInt(KEYS);
  }

  private List<String> keys() {
    return IntStream.range(0, random.nextInt(6)).mapToObj(i -> key()).toList();
  }

  private String tenant() {
    int dice = random.nextInt(20);
    return dice == 0 ? "t1" : dice == 1 ? "_bad" : dice == 2 ? "" : TENANT;
  }

  private long length() {
    return random.nextInt(100) == 0
        ? 0
        : random.nextInt(3) == 0 ? 8 * KIB : random.nextInt(1, 40) * 500L;
  }

  private int kind() {
    int[] kinds = {ReplicaType.MEMORY, ReplicaType.MEMORY, ReplicaType.ALL, ReplicaType.DISK, 7};
    return kinds[random.nextInt(kinds.length)];
  }

  private ReplicateConfig ask(int groups) {
    Ask ask = Ask.forReplicas(random.nextInt(20) == 0 ? 0 : random.nextInt(1, 4));
    int dice = random.nextInt(20);
    if (dice < 4) {
      ask.softPin(1).ttl(random.nextInt(4_000));
    } else if (dice == 4) {
      ask.softPin(random.nextInt(5));
    } else if (dice == 5) {
      ask.hardPin();
    } else if (dice < 8) {
      ask.preferred("s" + random.nextInt(4)).host("host" + random.nextInt(4)).sameNode();
    }
    if (random.nextInt(3) == 0) {
      ask.groups(
          IntStream.range(0, groups).mapToObj(i -> "g" + random.nextInt(5)).toArray(String[]::new));
    }
    return ask.dataType(random.nextInt(256)).build();
  }

  /** A writer asks again for what it has under way; its answer may be lost or not. */
  private void writeAgain() {
    List<String> pending =
        m.state().writes().all().stream()
            .map(w -> w.key().toObjectKey())
            .filter(k -> k.tenant().equals(TENANT))
            .map(ObjectKey::key)
            .toList();
    if (pending.isEmpty()) {
      return;
    }
    String key = pending.get(random.nextInt(pending.size()));
    Uuid owner = Calls.look(m, key, ObjectCursor::clientId);
    long bytes = Calls.look(m, key, ObjectCursor::sizeBytes);
    int replicas = Calls.look(m, key, object -> object.replicaCount() - 1);
    ReplicateConfig same = Ask.forReplicas(Math.max(1, replicas)).build();
    m.closeConnection();
    m.call(new Request.WriteStart(Rpc.PUT_START, owner, key, bytes, same, TENANT));
  }

  private void write() {
    if (random.nextInt(20) == 0) {
      writeAgain();
    }
    Uuid client = client();
    if (random.nextInt(4) > 0) {
      Rpc rpc = random.nextInt(3) == 0 ? Rpc.UPSERT_START : Rpc.PUT_START;
      m.call(new Request.WriteStart(rpc, client, key(), length(), ask(1), tenant()));
      return;
    }
    Rpc rpc = random.nextInt(3) == 0 ? Rpc.BATCH_UPSERT_START : Rpc.BATCH_PUT_START;
    List<String> keys = keys();
    long[] lengths = IntStream.range(0, keys.size()).mapToLong(i -> length()).toArray();
    m.call(new Request.BatchWriteStart(rpc, client, keys, lengths, ask(keys.size()), tenant()));
  }

  /** Mostly what is really unfinished, by its real owner. */
  private void end() {
    List<PendingWrite> pending = new ArrayList<>(m.state().writes().all());
    boolean real = !pending.isEmpty() && random.nextInt(5) > 0;
    String key = key();
    Uuid client = client();
    String tenant = tenant();
    if (real) {
      var object = pending.get(random.nextInt(pending.size())).key().toObjectKey();
      key = object.key();
      tenant = object.tenant();
      client = random.nextInt(10) == 0 ? client : owner(pending, key, client);
    }
    OptionalLong checksum =
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong());
    Request request =
        switch (random.nextInt(8)) {
          case 0 -> new Request.WriteRevoke(Rpc.PUT_REVOKE, client, key, kind(), tenant);
          case 1 ->
              new Request.BatchWriteRevoke(
                  Rpc.BATCH_PUT_REVOKE, client, keys(), ReplicaType.ALL, tenant);
          case 2 -> Calls.batchEnd(Rpc.BATCH_PUT_END, client, keys());
          default -> new Request.WriteEnd(Rpc.PUT_END, client, key, checksum, kind(), tenant);
        };
    m.call(request);
  }

  private Uuid owner(List<PendingWrite> pending, String key, Uuid otherwise) {
    boolean inDefault =
        pending.stream()
            .anyMatch(w -> w.key().toObjectKey().equals(ObjectKey.ofDefaultTenant(key)));
    return inDefault ? Calls.look(m, key, ObjectCursor::clientId) : otherwise;
  }

  private void read() {
    Request request =
        switch (random.nextInt(6)) {
          case 0 -> new Request.ExistKey(Rpc.EXIST_KEY, key(), tenant());
          case 1 -> Calls.batchExist(keys().toArray(String[]::new));
          case 2 -> Calls.batchGet(keys().toArray(String[]::new));
          case 3 -> Calls.batchProbe(1, 2, keys().toArray(String[]::new));
          case 4 -> new Request.GetReplicaListByRegex("key-1?" + random.nextInt(10), tenant());
          default -> new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key(), tenant());
        };
    m.call(request);
  }

  private void remove() {
    boolean force = random.nextInt(3) == 0;
    switch (random.nextInt(12)) {
      case 0 -> m.call(Calls.batchRemove(force, keys().toArray(String[]::new)));
      case 1 -> m.call(new Request.RemoveByRegex("key-" + random.nextInt(15), force, tenant()));
      case 2 -> {
        if (random.nextInt(10) == 0) {
          m.call(new Request.RemoveAll(force, tenant()));
        }
      }
      case 3, 4 ->
          m.call(
              new Request.BatchReplicaClear(
                  keys(), client(), random.nextBoolean() ? "" : "s1", TENANT));
      case 5, 6 ->
          m.master()
              .softPin(
                  keys(),
                  TENANT,
                  random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(1_000),
                  Origin.ADMIN,
                  reply -> {});
      default -> m.call(new Request.Remove(key(), force, tenant()));
    }
  }
}
