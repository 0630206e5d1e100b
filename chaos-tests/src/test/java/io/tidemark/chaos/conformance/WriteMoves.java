package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Starts, ends and revokes of puts and upserts, single and in batches, legal and not. */
final class WriteMoves {
  private static final String TENANT = "default";
  private static final List<Long> SIZES =
      List.of(1L, 7L, 17L, 100L, 1_000L, 1_025L, 4_096L, 100_000L, 1L << 20, 5_000_000L);
  private static final List<Long> IMPOSSIBLE = List.of(2L << 30, 1L << 50, -1L);
  private static final List<Integer> ODD_TYPES =
      List.of(
          ReplicaType.DISK, ReplicaType.LOCAL_DISK, ReplicaType.NOF_SSD, ReplicaType.DFS, 7, 255);

  private final Cast cast;
  private final Dice dice;
  private final WriteConfigs configs;
  private final boolean newest;
  private final boolean mayDisturb;

  /**
   * Writes over a cast.
   *
   * @param newest whether the oracle is v0.3.14
   * @param mayDisturb whether writes may be revoked or taken over
   */
  WriteMoves(Cast cast, boolean newest, boolean mayDisturb) {
    this.cast = cast;
    this.dice = cast.dice;
    this.configs = new WriteConfigs(cast, newest);
    this.newest = newest;
    this.mayDisturb = mayDisturb;
  }

  Step.Call any() {
    int revokes = mayDisturb ? 3 : 0;
    return dice.weighted(
        List.of(
            new Dice.Weighted<>(10, () -> start(Rpc.PUT_START)),
            new Dice.Weighted<>(6, () -> start(Rpc.UPSERT_START)),
            new Dice.Weighted<>(14, () -> end(dice.oneIn(3) ? Rpc.UPSERT_END : Rpc.PUT_END)),
            new Dice.Weighted<>(
                revokes, () -> revoke(dice.oneIn(3) ? Rpc.UPSERT_REVOKE : Rpc.PUT_REVOKE)),
            new Dice.Weighted<>(4, () -> batchStart(Rpc.BATCH_PUT_START)),
            new Dice.Weighted<>(3, () -> batchStart(Rpc.BATCH_UPSERT_START)),
            new Dice.Weighted<>(6, this::batchEnd),
            new Dice.Weighted<>(revokes, this::batchRevoke),
            new Dice.Weighted<>(3, this::illegalStart)));
  }

  /**
   * A key to start a write of. Releases before v0.3.14 treat upserts of leased objects and repeated
   * puts in a way of their own: against them such keys are left out.
   */
  private String keyFor(Rpc rpc) {
    boolean upsert = rpc == Rpc.UPSERT_START || rpc == Rpc.BATCH_UPSERT_START;
    return cast.keyWhere(
        key -> {
          boolean open = cast.open.containsKey(key);
          boolean fits =
              newest
                  || (upsert ? !cast.read.contains(key) : open || !cast.complete.containsKey(key));
          return fits && (mayDisturb || !upsert || !open);
        });
  }

  private long size(Rpc rpc, String key) {
    boolean upsert = rpc == Rpc.UPSERT_START || rpc == Rpc.BATCH_UPSERT_START;
    if (upsert && cast.complete.containsKey(key) && dice.oneIn(2)) {
      return cast.complete.get(key);
    }
    // An impossible size loses the old object or write on upstream: only where there is none.
    boolean free = !cast.complete.containsKey(key) && !cast.open.containsKey(key);
    return (free || !upsert && !cast.open.containsKey(key)) && dice.oneIn(12)
        ? dice.of(IMPOSSIBLE)
        : dice.of(SIZES);
  }

  private Step.Call start(Rpc rpc) {
    int client = cast.anyClient();
    String key = keyFor(rpc);
    long size = size(rpc, key);
    boolean upsert = rpc == Rpc.UPSERT_START;
    believeStarted(key, client, size, upsert);
    return new Step.Call(
        client,
        new Request.WriteStart(rpc, cast.client(client), key, size, configs.legal(1), TENANT));
  }

  private void believeStarted(String key, int client, long size, boolean upsert) {
    boolean fits = !IMPOSSIBLE.contains(size) && !cast.placeable().isEmpty();
    boolean taken = cast.open.containsKey(key) || cast.complete.containsKey(key);
    if (fits && (upsert || !taken)) {
      cast.open.put(key, client);
      cast.complete.put(key, size);
    }
  }

  private int writerOf(String key) {
    int owner = cast.open.getOrDefault(key, cast.anyClient());
    return dice.oneIn(8) ? cast.anyClient() : owner;
  }

  private int replicaType() {
    if (dice.oneIn(7)) {
      return dice.of(ODD_TYPES);
    }
    return dice.oneIn(2) ? ReplicaType.MEMORY : ReplicaType.ALL;
  }

  private OptionalLong checksum() {
    return dice.oneIn(2) ? OptionalLong.empty() : OptionalLong.of(dice.nextLong());
  }

  private Step.Call end(Rpc rpc) {
    String key = cast.likelyOpenKey();
    int client = writerOf(key);
    int type = replicaType();
    believeEnded(key, client, type);
    return new Step.Call(
        client, new Request.WriteEnd(rpc, cast.client(client), key, checksum(), type, TENANT));
  }

  private void believeEnded(String key, int client, int type) {
    boolean selects = type == ReplicaType.MEMORY || type == ReplicaType.ALL;
    if (selects && cast.open.getOrDefault(key, -1) == client) {
      cast.open.remove(key);
    }
  }

  private Step.Call revoke(Rpc rpc) {
    String key = cast.likelyOpenKey();
    int client = writerOf(key);
    int type = replicaType();
    believeRevoked(key, client, type);
    return new Step.Call(
        client, new Request.WriteRevoke(rpc, cast.client(client), key, type, TENANT));
  }

  private void believeRevoked(String key, int client, int type) {
    boolean selects = type == ReplicaType.MEMORY || type == ReplicaType.ALL;
    if (selects && cast.open.getOrDefault(key, -1) == client) {
      cast.open.remove(key);
      cast.complete.remove(key);
    }
  }

  private Step.Call batchStart(Rpc rpc) {
    int client = cast.anyClient();
    int count = dice.below(5);
    List<String> keys = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    boolean upsert = rpc == Rpc.BATCH_UPSERT_START;
    for (int i = 0; i < count; i++) {
      String key = keyFor(rpc);
      if (!mayDisturb && upsert && keys.contains(key)) {
        continue;
      }
      keys.add(key);
      sizes.add(size(rpc, key));
      believeStarted(key, client, sizes.get(sizes.size() - 1), upsert);
    }
    if (dice.oneIn(12)) {
      sizes.add(4_096L);
      keys.forEach(cast.open::remove);
    }
    return new Step.Call(
        client,
        new Request.BatchWriteStart(
            rpc,
            cast.client(client),
            keys,
            sizes.stream().mapToLong(Long::longValue).toArray(),
            configs.legal(keys.size()),
            TENANT));
  }

  private Step.Call batchEnd() {
    boolean upsert = dice.oneIn(3);
    List<String> keys = openKeys();
    int client = keys.isEmpty() ? cast.anyClient() : writerOf(keys.get(0));
    int type = upsert ? ReplicaType.ALL : replicaType();
    keys.forEach(key -> believeEnded(key, client, type));
    List<OptionalLong> checksums = keys.stream().map(key -> checksum()).toList();
    return new Step.Call(
        client,
        new Request.BatchWriteEnd(
            upsert ? Rpc.BATCH_UPSERT_END : Rpc.BATCH_PUT_END,
            cast.client(client),
            keys,
            checksums,
            type,
            TENANT));
  }

  private Step.Call batchRevoke() {
    boolean upsert = dice.oneIn(3);
    List<String> keys = openKeys();
    int client = keys.isEmpty() ? cast.anyClient() : writerOf(keys.get(0));
    int type = upsert ? ReplicaType.ALL : replicaType();
    keys.forEach(key -> believeRevoked(key, client, type));
    return new Step.Call(
        client,
        new Request.BatchWriteRevoke(
            upsert ? Rpc.BATCH_UPSERT_REVOKE : Rpc.BATCH_PUT_REVOKE,
            cast.client(client),
            keys,
            type,
            TENANT));
  }

  private List<String> openKeys() {
    List<String> keys = new ArrayList<>();
    int count = dice.below(6);
    for (int i = 0; i < count; i++) {
      keys.add(cast.likelyOpenKey());
    }
    return keys;
  }

  private Step.Call illegalStart() {
    int client = cast.anyClient();
    boolean upsert = dice.oneIn(2);
    boolean batch = dice.oneIn(3);
    String key = dice.oneIn(4) ? "" : cast.anyKey();
    boolean badShape = key.isEmpty() || dice.oneIn(4);
    long size = badShape && !key.isEmpty() ? 0 : 100;
    ReplicateConfig config = badShape ? configs.legal(1) : configs.illegal(1);
    if (batch) {
      return new Step.Call(
          client,
          new Request.BatchWriteStart(
              upsert ? Rpc.BATCH_UPSERT_START : Rpc.BATCH_PUT_START,
              cast.client(client),
              List.of(key),
              new long[] {size},
              config,
              TENANT));
    }
    return new Step.Call(
        client,
        new Request.WriteStart(
            upsert ? Rpc.UPSERT_START : Rpc.PUT_START,
            cast.client(client),
            key,
            size,
            config,
            TENANT));
  }
}
