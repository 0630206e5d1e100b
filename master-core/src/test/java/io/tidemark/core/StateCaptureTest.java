package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.state.StateRecord;
import io.tidemark.api.state.StateRecordCodec;
import io.tidemark.api.state.StateSink;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.core.table.ObjectTable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * COR-26, COR-27: a capture taken while the state changes, plus the log behind it, equals a full
 * replay.
 */
class StateCaptureTest {

  /** Keeps what it is given, through the codec, and lets the test change the state in between. */
  private static final class Recorder implements StateSink {
    final List<StateRecord> records = new ArrayList<>();
    final Runnable inBetween;
    LogPosition position;
    long digest;
    long objectCount;

    Recorder(Runnable inBetween) {
      this.inBetween = inBetween;
    }

    @Override
    public void begin(LogPosition at) {
      position = at;
    }

    @Override
    public void record(StateRecord record) {
      EventBuffer buffer = new EventBuffer(64);
      StateRecordCodec.write(record, buffer);
      records.add(StateRecordCodec.read(EventBuffer.reading(buffer.array(), 0, buffer.position())));
      inBetween.run();
    }

    @Override
    public void end(long stateDigest, long objects) {
      digest = stateDigest;
      objectCount = objects;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  @DisplayName("snapshot + tail = full replay, while everything changes under the capture")
  void captureUnderChange(long seed) {
    TestConfig config = new TestConfig();
    config.writerQuarantineMs = 500;
    config.leaseTtlMs = 200;
    config.releaseTimeoutMs = 31_000;
    config.rootFsDir = seed % 2 == 0 ? "/mnt/store" : "";
    MasterFixture m = MasterFixture.with(config.build(), 3);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2000; i++) {
      change(m, random);
    }
    Recorder recorder = new Recorder(() -> change(m, random));
    m.master().capture(recorder, Long.MAX_VALUE);
    for (int i = 0; i < 500; i++) {
      change(m, random);
    }

    StateImporter importer = new StateImporter(AllocatorKind.OFFSET);
    recorder.records.forEach(importer::record);
    StateImporter.Restored restored = importer.finish(recorder.position);
    assertThat(restored.digest()).as("digest at the cut, seed %d", seed).isEqualTo(recorder.digest);
    assertThat(restored.state().objects().objectCount()).isEqualTo(recorder.objectCount);
    Replayer tail = new Replayer(restored);
    for (LogEntry entry : m.entries()) {
      if (entry.header().index() > recorder.position.index()) {
        tail.entry(entry);
      }
    }
    assertThat(tail.digest()).as("digest at the end, seed %d", seed).isEqualTo(m.replayedDigest());
    assertThat(tail.digest()).isEqualTo(m.view().stateDigest());
  }

  @Test
  @DisplayName(
      "COR-27 a capture under which too much changes is given up, and the next one succeeds")
  void boundedMemory() {
    MasterFixture m = MasterFixture.base();
    for (int i = 0; i < 200; i++) {
      m.put("k" + i);
    }
    Recorder removing = new Recorder(() -> m.remove("k" + m.view().objectCount() % 200, true));
    Runnable removeAll = () -> m.call(new Request.RemoveAll(true, "default"));
    assertThatThrownBy(() -> m.master().capture(new Recorder(removeAll), 1000))
        .isInstanceOf(ObjectTable.CaptureAbortedException.class);
    m.put("again");
    m.master().capture(removing, Long.MAX_VALUE);
    assertThat(removing.objectCount).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  @DisplayName("COR-27 a standby's capture is its state at the cut, whatever is applied meanwhile")
  void standbyCapture(long seed) {
    MasterFixture m = MasterFixture.base();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 1500; i++) {
      change(m, random);
    }
    List<LogEntry> entries = m.entries();
    int cut = entries.size() / 2;
    while (!entries.get(cut - 1).header().batchEnd()) {
      cut++;
    }
    Replayer standby = new Replayer(AllocatorKind.OFFSET);
    entries.subList(0, cut).forEach(standby::entry);
    long digestAtCut = standby.digest();
    ReplayCapture capture =
        standby.capture(new LogPosition(1, standby.lastIndex(), 77), Long.MAX_VALUE);
    int[] next = {cut};
    Recorder recorder =
        new Recorder(
            () -> {
              if (next[0] < entries.size()) {
                standby.entry(entries.get(next[0]++));
              }
            });
    capture.writeTo(recorder);
    assertThat(next[0]).as("entries applied meanwhile").isGreaterThan(cut + 100);
    assertThat(recorder.digest).as("seed %d", seed).isEqualTo(digestAtCut);
    StateImporter importer = new StateImporter(AllocatorKind.OFFSET);
    recorder.records.forEach(importer::record);
    assertThat(importer.finish(recorder.position).digest()).isEqualTo(digestAtCut);
  }

  @Test
  @DisplayName("a second capture is refused while one goes on, and the first is not disturbed")
  void oneAtATime() {
    MasterFixture m = MasterFixture.base();
    for (int i = 0; i < 50; i++) {
      m.put("k" + i);
    }
    Replayer standby = new Replayer(AllocatorKind.OFFSET);
    m.entries().forEach(standby::entry);
    LogPosition at = new LogPosition(1, standby.lastIndex(), 77);
    ReplayCapture first = standby.capture(at, Long.MAX_VALUE);
    assertThatThrownBy(() -> standby.capture(at, Long.MAX_VALUE))
        .isInstanceOf(IllegalStateException.class);
    Recorder recorder = new Recorder(() -> {});
    first.writeTo(recorder);
    assertThat(recorder.objectCount).isEqualTo(50);
    standby.capture(at, Long.MAX_VALUE).end();
    standby.capture(at, Long.MAX_VALUE).end();
  }

  @Test
  @DisplayName("a capture rests most of the time")
  void rests() {
    MasterFixture m = MasterFixture.base();
    for (int i = 0; i < 200; i++) {
      m.put("k" + i);
    }
    m.rests.clear();
    m.master().capture(new Recorder(() -> m.advanceSilently(1)), Long.MAX_VALUE);
    assertThat(m.rests).isNotEmpty().allMatch(nanos -> nanos >= 3_000_000 && nanos <= 5_000_000);
  }

  @Test
  @DisplayName("COR-27 a capture that has used half of its memory goes without rests")
  void hurriesWhenPressed() {
    MasterFixture m = MasterFixture.base();
    for (int i = 0; i < 200; i++) {
      m.put("k" + i);
    }
    m.rests.clear();
    boolean[] removed = new boolean[1];
    Recorder recorder =
        new Recorder(
            () -> {
              if (!removed[0]) {
                removed[0] = true;
                m.call(new Request.RemoveAll(true, "default"));
                m.rests.clear();
              }
              m.advanceSilently(1);
            });
    m.master().capture(recorder, 40_000);
    assertThat(recorder.objectCount).isEqualTo(200);
    assertThat(m.rests).isEmpty();
  }

  private static void change(MasterFixture m, SplittableRandom random) {
    String key = "key-" + random.nextInt(300);
    switch (random.nextInt(12)) {
      case 0 -> m.remove(key, random.nextBoolean());
      case 1 -> m.upsertStart(C1, key, KIB * (1 + random.nextInt(3)));
      case 2 -> m.putRevoke(C1, key, ReplicaType.ALL);
      case 3 -> m.get(key);
      case 4 -> m.advance(20);
      case 5 -> m.call(new Request.BatchRemove(List.of(key, "key-1"), true, "default"));
      case 6, 7 -> m.putEnd(C1, key);
      case 8 ->
          m.call(
              new Request.WriteEnd(
                  Rpc.PUT_END, C1, key, OptionalLong.of(7), ReplicaType.DISK, "default"));
      default -> m.putStart(C1, key, KIB * (1 + random.nextInt(3)));
    }
  }
}
