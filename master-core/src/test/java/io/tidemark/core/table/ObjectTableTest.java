package io.tidemark.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.rpc.ReplicaType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The object table against a hash map: random use, scans beside changes, growth, digests. */
class ObjectTableTest {
  private final ObjectTable table = new ObjectTable();
  private final ObjectCursor cursor = new ObjectCursor();

  private static ScopedKey key(String name) {
    return ScopedKey.of("default", name);
  }

  private void insert(ScopedKey key, int replicas, long size) {
    Stripe stripe = table.stripeOf(key);
    stripe.lock();
    try {
      table.insert(key, replicas, cursor);
      cursor.sizeBytes(size);
      for (int i = 0; i < replicas; i++) {
        cursor.setReplica(i, size + i, ReplicaType.MEMORY, i, size * i, size);
      }
    } finally {
      stripe.unlock();
    }
  }

  private void remove(ScopedKey key) {
    Stripe stripe = table.stripeOf(key);
    stripe.lock();
    try {
      table.remove(key, 1);
    } finally {
      stripe.unlock();
    }
  }

  /** Size of a record, or -1. */
  private long find(ScopedKey key) {
    Stripe stripe = table.stripeOf(key);
    stripe.lock();
    try {
      return stripe.find(key, cursor) ? cursor.sizeBytes() : -1;
    } finally {
      stripe.unlock();
    }
  }

  private Set<ScopedKey> scan(int slice) {
    Set<ScopedKey> seen = new HashSet<>();
    table.scan(slice, object -> seen.add(object.key()));
    return seen;
  }

  private static ScopedKey randomKey(SplittableRandom random) {
    int kind = random.nextInt(100);
    String name = "key-" + random.nextInt(3000);
    return key(kind == 0 ? "long" + name + "x".repeat(70_000) : kind < 10 ? name.repeat(30) : name);
  }

  @ParameterizedTest(name = "random use agrees with a hash map (seed {0})")
  @ValueSource(longs = {1, 2, 20261130})
  void randomUse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<ScopedKey, Long> model = new HashMap<>();
    for (int step = 0; step < 30_000; step++) {
      ScopedKey key = randomKey(random);
      Long known = model.get(key);
      assertThat(find(key)).as("seed %d step %d", seed, step).isEqualTo(known == null ? -1 : known);
      if (known == null) {
        long size = random.nextLong(1, 1 << 20);
        insert(key, random.nextInt(4), size);
        model.put(key, size);
      } else {
        remove(key);
        model.remove(key);
      }
      assertThat(table.objectCount()).isEqualTo(model.size());
    }
    model.forEach((key, size) -> assertThat(find(key)).as("seed %d", seed).isEqualTo(size));
    assertThat(scan(16)).as("seed %d", seed).isEqualTo(model.keySet());
    new ArrayList<>(model.keySet()).forEach(this::remove);
    assertThat(table.objectCount()).isZero();
    assertThat(scan(16)).isEmpty();
  }

  @Test
  @DisplayName("an object that stays is seen by a scan although others come and go meanwhile")
  void scanBesideChanges() {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ObjectTableTest fresh = new ObjectTableTest();
      Set<ScopedKey> staying = new HashSet<>();
      List<ScopedKey> others = new ArrayList<>();
      for (int i = 0; i < 4000; i++) {
        ScopedKey key = key("k" + i);
        fresh.insert(key, 1, i);
        if (random.nextBoolean()) {
          staying.add(key);
        } else {
          others.add(key);
        }
      }
      Set<ScopedKey> seen = new HashSet<>();
      int[] added = {0};
      fresh.table.scan(
          1 + random.nextInt(64),
          object -> {
            seen.add(object.key());
            if (!others.isEmpty() && random.nextInt(3) == 0) {
              fresh.remove(others.remove(others.size() - 1));
            } else if (random.nextInt(4) == 0) {
              fresh.insert(key("new" + added[0]++), 1, 1);
            }
          });
      assertThat(seen).as("seed %d", seed).containsAll(staying);
    }
  }

  @Test
  @DisplayName("growth keeps every record")
  void growth() {
    for (int i = 0; i < 50_000; i++) {
      insert(key("k" + i), 1, i);
    }
    for (int i = 0; i < 50_000; i++) {
      assertThat(find(key("k" + i))).isEqualTo(i);
    }
    assertThat(scan(256)).hasSize(50_000);
  }

  @Test
  @DisplayName("a record of one replica and a 34-byte key takes less than 250 bytes with its index")
  void recordSize() {
    int objects = 100_000;
    for (int i = 0; i < objects; i++) {
      insert(key(String.format("%034d", i)), 1, i);
    }
    assertThat(table.usedBytes() / objects).isLessThan(250);
  }

  @Test
  @DisplayName("the digest depends on what the objects are, not on the order they came in")
  void digest() {
    ObjectTableTest other = new ObjectTableTest();
    for (int i = 0; i < 1000; i++) {
      insert(key("k" + i), 1, i);
      other.insert(key("k" + (999 - i)), 1, 999 - i);
      other.insert(key("gone" + i), 2, i);
      other.remove(key("gone" + i));
    }
    assertThat(other.table.recomputedDigest()).isEqualTo(table.recomputedDigest());
    other.remove(key("k5"));
    assertThat(other.table.recomputedDigest()).isNotEqualTo(table.recomputedDigest());
    other.insert(key("k5"), 1, 6);
    assertThat(other.table.recomputedDigest()).isNotEqualTo(table.recomputedDigest());
  }

  @Test
  @DisplayName("a record keeps every field, and dropping a replica keeps the order of the others")
  void fields() {
    ScopedKey key = ScopedKey.of("tenant", "\u0000\u00ff");
    insert(key, 3, 7);
    table.stripeOf(key).find(key, cursor);
    cursor.clientId(new Uuid(-1, 2));
    cursor.startMs(3);
    cursor.checksum(true, -4);
    cursor.pinDeadlineMs(5);
    cursor.groupNumber(6);
    cursor.hardPinned(true);
    cursor.writing(true);
    cursor.reissued(true);
    cursor.dataType(200);
    cursor.lastIndex(8);
    cursor.replicaStatus(2, ReplicaStatus.COMPLETE);
    cursor.extendLease(9);
    cursor.extendLease(1);
    cursor.removeReplica(1);
    cursor.writing(false);
    table.stripeOf(key).find(key, cursor);
    assertThat(cursor.key()).isEqualTo(key);
    assertThat(cursor.isOwnedBy(new Uuid(-1, 2))).isTrue();
    assertThat(cursor.clientId()).isEqualTo(new Uuid(-1, 2));
    assertThat(new long[] {cursor.startMs(), cursor.checksum(), cursor.pinDeadlineMs()})
        .containsExactly(3, -4, 5);
    assertThat(cursor.groupNumber()).isEqualTo(6);
    assertThat(List.of(cursor.isHardPinned(), cursor.isReissued(), cursor.hasChecksum()))
        .containsOnly(true);
    assertThat(cursor.isWriting()).isFalse();
    assertThat(cursor.dataType()).isEqualTo(200);
    assertThat(cursor.lastIndex()).isEqualTo(8);
    assertThat(cursor.leaseUntilMs()).isEqualTo(9);
    assertThat(cursor.replicaCount()).isEqualTo(2);
    assertThat(cursor.indexOfReplica(9)).isEqualTo(1);
    assertThat(cursor.isComplete(1)).isTrue();
    assertThat(cursor.indexOfReplica(8)).isEqualTo(-1);
  }

  @Test
  @DisplayName("an erased key is remembered as the index that its absence waits for (COR-02)")
  void removalIndex() {
    ScopedKey key = key("a");
    insert(key, 1, 1);
    table.stripeOf(key).lock();
    table.remove(key, 77);
    assertThat(table.stripeOf(key).lastRemovalIndex()).isEqualTo(77);
    assertThatThrownBy(() -> table.remove(key, 78)).isInstanceOf(IllegalStateException.class);
    table.stripeOf(key).unlock();
  }

  @Test
  @DisplayName("scoped keys keep tenant and key apart")
  void scopedKeys() {
    assertThat(ScopedKey.of("a", "bc")).isNotEqualTo(ScopedKey.of("ab", "c"));
    assertThat(ScopedKey.of("default", "k")).isEqualTo(key("k"));
    assertThat(ScopedKey.of("t", "k").isOfTenant("t")).isTrue();
    assertThat(ScopedKey.of("t", "k").isOfTenant("default")).isFalse();
    assertThat(key("k").isOfTenant("default")).isTrue();
    assertThat(ScopedKey.of("t", "k\u0000x").toObjectKey())
        .isEqualTo(new io.tidemark.api.ObjectKey("t", "k\u0000x"));
    assertThatThrownBy(() -> ScopedKey.of("t".repeat(256), "k"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
