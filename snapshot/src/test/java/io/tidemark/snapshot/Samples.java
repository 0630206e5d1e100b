package io.tidemark.snapshot;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.api.state.StateRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** Records and snapshots that the tests of this package share. */
final class Samples {
  static final UUID CLUSTER = new UUID(1, 2);
  static final UUID NODE = new UUID(3, 4);
  static final Uuid CLIENT = new Uuid(5, 6);

  private Samples() {}

  static SnapshotOptions options(int chunkBytes) {
    return new SnapshotOptions(
        CLUSTER, NODE, "tidemark test", chunkBytes, 0, () -> 1_700_000_000_000L);
  }

  static LogPosition at(long index) {
    return new LogPosition(1, index, index * 31);
  }

  /** Facts, a client, objects {@code k0…}, and an unfinished write of the first. */
  static List<StateRecord> records(int objects) {
    List<StateRecord> records = new ArrayList<>();
    records.add(new StateRecord.Facts(9, 1, 10_000, 77, 3, 1));
    records.add(new StateRecord.Client(CLIENT, ClientState.ACTIVE, "host", ""));
    for (int i = 0; i < objects; i++) {
      records.add(object("k" + i));
    }
    if (objects > 0) {
      ObjectKey key = new ObjectKey("default", "k0");
      records.add(
          new StateRecord.Write(key, 1, 50, SoftPinAction.values()[0], 0, false, new long[] {7}));
    }
    return records;
  }

  static StateRecord.StoredObject object(String key) {
    return new StateRecord.StoredObject(
        new ObjectKey("default", key),
        CLIENT,
        1024,
        50,
        60,
        0,
        OptionalLong.empty(),
        0,
        "",
        false,
        false,
        false,
        0,
        List.of(new StateRecord.Replica(key.hashCode() & 0xffff, 0, 1, 4096, 1024, 3)));
  }

  /** A digest that any test can compute again. */
  static long digest(List<StateRecord> records) {
    return records.stream().mapToLong(r -> text(r).hashCode() * 31L).sum();
  }

  /** Equal records have equal texts; arrays have no useful equality of their own. */
  static String text(StateRecord record) {
    if (record instanceof StateRecord.Write w) {
      return "write " + w.key() + " " + List.of(w.epoch(), w.startMs(), w.pinEligibleIds().length);
    }
    return record.toString();
  }

  /** Writes and publishes a snapshot. */
  static Snapshot write(SnapshotStore store, SnapshotOptions options, long index, int objects) {
    List<StateRecord> records = records(objects);
    try (SnapshotWriter writer = store.writer(options, () -> false)) {
      writer.begin(at(index));
      records.forEach(writer::record);
      writer.end(digest(records), objects);
      return writer.published();
    }
  }

  /** Writes, publishes and verifies a snapshot. */
  static Snapshot verified(SnapshotStore store, long index, int objects) {
    Snapshot snapshot = write(store, options(256), index, objects);
    if (!store.verify(snapshot).isEmpty()) {
      throw new AssertionError("a fresh snapshot is damaged");
    }
    return snapshot;
  }
}
