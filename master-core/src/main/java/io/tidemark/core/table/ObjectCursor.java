package io.tidemark.core.table;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.state.ObjectView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A window on one object's record. Valid while the stripe's lock is held; never keep one beyond
 * that.
 *
 * <p>Layout: fixed head, replicas of 32 bytes each in stored order, scoped key.
 */
public final class ObjectCursor implements ObjectView {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int RECORD_BYTES = 0;
  private static final int KEY_BYTES = 4;
  private static final int LAST_INDEX = 8;
  private static final int LEASE_UNTIL_MS = 16;
  private static final int SIZE_BYTES = 24;
  private static final int START_MS = 32;
  private static final int CLIENT_FIRST = 40;
  private static final int CLIENT_SECOND = 48;
  private static final int CHECKSUM = 56;
  private static final int PIN_DEADLINE_MS = 64;
  private static final int GROUP_NUMBER = 72;
  private static final int FLAGS = 76;
  private static final int DATA_TYPE = 77;
  private static final int REPLICA_COUNT = 78;
  private static final int HEAD_BYTES = 80;

  private static final int REPLICA_ID = 0;
  private static final int REPLICA_OFFSET = 8;
  private static final int REPLICA_BLOCK = 16;
  private static final int REPLICA_SEGMENT = 24;
  private static final int REPLICA_KIND = 28;
  private static final int REPLICA_STATUS = 29;
  private static final int REPLICA_BYTES = 32;

  private static final int FLAG_HARD_PIN = 1;
  private static final int FLAG_CHECKSUM = 2;
  private static final int FLAG_WRITING = 4;
  private static final int FLAG_REISSUED = 8;

  /** Most replicas that one record can hold. */
  public static final int MAX_REPLICAS = Short.MAX_VALUE;

  private byte[] page;
  private int base;

  void at(byte[] newPage, int newBase) {
    page = newPage;
    base = newBase;
  }

  static int recordBytes(int replicaCount, int keyBytes) {
    return HEAD_BYTES + replicaCount * REPLICA_BYTES + keyBytes;
  }

  void initialise(int recordBytes, ScopedKey key, int replicaCount) {
    int keyBytes = key.bytes().length;
    Arrays.fill(page, base, base + HEAD_BYTES + replicaCount * REPLICA_BYTES, (byte) 0);
    INT.set(page, base + RECORD_BYTES, recordBytes);
    INT.set(page, base + KEY_BYTES, keyBytes);
    SHORT.set(page, base + REPLICA_COUNT, (short) replicaCount);
    System.arraycopy(key.bytes(), 0, page, keyStart(), keyBytes);
  }

  int recordBytes() {
    return (int) INT.get(page, base + RECORD_BYTES);
  }

  /** A copy of the whole record. */
  byte[] rawCopy() {
    return Arrays.copyOfRange(page, base, base + recordBytes());
  }

  /** Copies the whole record to a place in an array. */
  void copyTo(byte[] target, int offset) {
    System.arraycopy(page, base, target, offset, recordBytes());
  }

  boolean keyEquals(byte[] key) {
    int start = keyStart();
    return Arrays.equals(page, start, start + keyBytes(), key, 0, key.length);
  }

  private int keyBytes() {
    return (int) INT.get(page, base + KEY_BYTES);
  }

  /**
   * The key follows the replicas the record was created with; dropping some leaves it where it is.
   */
  private int keyStart() {
    return base + recordBytes() - keyBytes();
  }

  /** A copy of the key. */
  public ScopedKey key() {
    return ScopedKey.copyOf(page, keyStart(), keyBytes());
  }

  /** Appends tenant and key as {@link io.tidemark.api.event.FieldCodec#writeKey} does. */
  @Override
  public void writeKey(EventBuffer out) {
    int start = keyStart();
    int tenantBytes = page[start] & 0xff;
    out.putBytes(page, start + 1, tenantBytes);
    out.putBytes(page, start + 1 + tenantBytes, keyBytes() - 1 - tenantBytes);
  }

  /** A copy of the key as tenant and key. */
  public ObjectKey objectKey() {
    return key().toObjectKey();
  }

  /**
   * Log index of the last event that changed the record; reads wait until it is committed (COR-02).
   */
  @Override
  public long lastIndex() {
    return (long) LONG.get(page, base + LAST_INDEX);
  }

  public void lastIndex(long index) {
    LONG.set(page, base + LAST_INDEX, index);
  }

  /** End of the record's own read lease in log time. Soft state. */
  @Override
  public long leaseUntilMs() {
    return (long) LONG.get(page, base + LEASE_UNTIL_MS);
  }

  /** Never shortens a lease. */
  public void extendLease(long untilMs) {
    if (untilMs > leaseUntilMs()) {
      LONG.set(page, base + LEASE_UNTIL_MS, untilMs);
    }
  }

  @Override
  public long sizeBytes() {
    return (long) LONG.get(page, base + SIZE_BYTES);
  }

  public void sizeBytes(long bytes) {
    LONG.set(page, base + SIZE_BYTES, bytes);
  }

  /** Log time of the Start of the last write. */
  @Override
  public long startMs() {
    return (long) LONG.get(page, base + START_MS);
  }

  public void startMs(long ms) {
    LONG.set(page, base + START_MS, ms);
  }

  /** Owner of the last write. */
  @Override
  public Uuid clientId() {
    return new Uuid(
        (long) LONG.get(page, base + CLIENT_FIRST), (long) LONG.get(page, base + CLIENT_SECOND));
  }

  public boolean isOwnedBy(Uuid client) {
    return (long) LONG.get(page, base + CLIENT_FIRST) == client.first()
        && (long) LONG.get(page, base + CLIENT_SECOND) == client.second();
  }

  public void clientId(Uuid client) {
    LONG.set(page, base + CLIENT_FIRST, client.first());
    LONG.set(page, base + CLIENT_SECOND, client.second());
  }

  @Override
  public boolean hasChecksum() {
    return flag(FLAG_CHECKSUM);
  }

  @Override
  public long checksum() {
    return (long) LONG.get(page, base + CHECKSUM);
  }

  public void checksum(boolean present, long value) {
    flag(FLAG_CHECKSUM, present);
    LONG.set(page, base + CHECKSUM, present ? value : 0);
  }

  /** Committed soft-pin deadline in log time, 0 for none. */
  @Override
  public long pinDeadlineMs() {
    return (long) LONG.get(page, base + PIN_DEADLINE_MS);
  }

  public void pinDeadlineMs(long ms) {
    LONG.set(page, base + PIN_DEADLINE_MS, ms);
  }

  /** Number of the object's group, 0 for ungrouped. */
  public int groupNumber() {
    return (int) INT.get(page, base + GROUP_NUMBER);
  }

  public void groupNumber(int number) {
    INT.set(page, base + GROUP_NUMBER, number);
  }

  @Override
  public boolean isHardPinned() {
    return flag(FLAG_HARD_PIN);
  }

  public void hardPinned(boolean pinned) {
    flag(FLAG_HARD_PIN, pinned);
  }

  /** Whether a primary write is in progress (Mooncake: the key is in processing). */
  @Override
  public boolean isWriting() {
    return flag(FLAG_WRITING);
  }

  public void writing(boolean inProgress) {
    flag(FLAG_WRITING, inProgress);
  }

  /** Whether its ranges were issued twice: the first writer may still be writing (COR-09). */
  @Override
  public boolean isReissued() {
    return flag(FLAG_REISSUED);
  }

  public void reissued(boolean twice) {
    flag(FLAG_REISSUED, twice);
  }

  @Override
  public int dataType() {
    return page[base + DATA_TYPE] & 0xff;
  }

  public void dataType(int type) {
    page[base + DATA_TYPE] = (byte) type;
  }

  @Override
  public int replicaCount() {
    return (short) SHORT.get(page, base + REPLICA_COUNT);
  }

  @Override
  public long replicaId(int i) {
    return (long) LONG.get(page, replica(i) + REPLICA_ID);
  }

  /** Offset from the segment's base. */
  @Override
  public long replicaOffset(int i) {
    return (long) LONG.get(page, replica(i) + REPLICA_OFFSET);
  }

  /** Bytes taken from the segment's pool. */
  @Override
  public long replicaBlock(int i) {
    return (long) LONG.get(page, replica(i) + REPLICA_BLOCK);
  }

  @Override
  public int replicaSegment(int i) {
    return (int) INT.get(page, replica(i) + REPLICA_SEGMENT);
  }

  /** A number of {@link io.tidemark.api.rpc.ReplicaType}. */
  @Override
  public int replicaKind(int i) {
    return page[replica(i) + REPLICA_KIND];
  }

  public boolean isComplete(int i) {
    return page[replica(i) + REPLICA_STATUS] == ReplicaStatus.COMPLETE.code();
  }

  /** Raw status number. */
  @Override
  public int replicaStatus(int i) {
    return page[replica(i) + REPLICA_STATUS];
  }

  public void replicaStatus(int i, ReplicaStatus status) {
    page[replica(i) + REPLICA_STATUS] = (byte) status.code();
  }

  /** Fills replica {@code i}, PROCESSING. */
  public void setReplica(int i, long id, int kind, int segmentNumber, long offset, long block) {
    int at = replica(i);
    LONG.set(page, at + REPLICA_ID, id);
    LONG.set(page, at + REPLICA_OFFSET, offset);
    LONG.set(page, at + REPLICA_BLOCK, block);
    INT.set(page, at + REPLICA_SEGMENT, segmentNumber);
    page[at + REPLICA_KIND] = (byte) kind;
    page[at + REPLICA_STATUS] = (byte) ReplicaStatus.PROCESSING.code();
  }

  /** Takes replica {@code i} out; the others keep their order. */
  public void removeReplica(int i) {
    int count = replicaCount();
    System.arraycopy(page, replica(i + 1), page, replica(i), (count - i - 1) * REPLICA_BYTES);
    SHORT.set(page, base + REPLICA_COUNT, (short) (count - 1));
  }

  /** Position of a replica id, or -1. */
  public int indexOfReplica(long id) {
    for (int i = 0; i < replicaCount(); i++) {
      if (replicaId(i) == id) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Hash over everything logical in the record; leases and table internals are left out (COR-28).
   */
  public long digest() {
    return digest(KeyHash.of(page, keyStart(), keyBytes()));
  }

  /** As {@link #digest()}, for whoever has the record's key at hand: spares hashing it again. */
  public long digest(ScopedKey key) {
    return digest(key.hash());
  }

  private long digest(long keyHash) {
    long hash = KeyHash.mix(keyHash ^ sizeBytes());
    hash = KeyHash.mix(hash ^ startMs());
    hash = KeyHash.mix(hash ^ (long) LONG.get(page, base + CLIENT_FIRST));
    hash = KeyHash.mix(hash ^ (long) LONG.get(page, base + CLIENT_SECOND));
    hash = KeyHash.mix(hash ^ checksum());
    hash = KeyHash.mix(hash ^ pinDeadlineMs());
    hash = KeyHash.mix(hash ^ (page[base + FLAGS] & 0xffL) << 8 ^ dataType());
    for (int i = 0; i < replicaCount(); i++) {
      hash = KeyHash.mix(hash ^ replicaId(i));
      hash = KeyHash.mix(hash ^ replicaOffset(i));
      hash = KeyHash.mix(hash ^ replicaBlock(i));
      hash =
          KeyHash.mix(
              hash ^ (long) replicaSegment(i) << 16 ^ replicaKind(i) << 8 ^ replicaStatus(i));
    }
    return KeyHash.finish(hash);
  }

  private int replica(int i) {
    return base + HEAD_BYTES + i * REPLICA_BYTES;
  }

  private boolean flag(int flag) {
    return (page[base + FLAGS] & flag) != 0;
  }

  private void flag(int flag, boolean on) {
    page[base + FLAGS] = (byte) (on ? page[base + FLAGS] | flag : page[base + FLAGS] & ~flag);
  }
}
