package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.event.EventType;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.segment.AllocationStrategy;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scenarios OBJ-194 to OBJ-198: the same log gives the same state. */
class ReplayTest {
  private static final int COMMANDS = Integer.getInteger("tidemark.replay.commands", 10_000);

  private static Set<EventType> typesIn(List<LogEntry> entries) {
    Set<EventType> types = EnumSet.noneOf(EventType.class);
    entries.forEach(e -> EventCodec.readAll(e.payload()).forEach(event -> types.add(event.type())));
    return types;
  }

  @ParameterizedTest(
      name = "OBJ-194 10 000 random commands replay to the same state (seed {0}, {1})")
  @CsvSource({"1,RANDOM", "2,FREE_RATIO_FIRST", "3,LOCAL_FIRST", "20261130,RANDOM"})
  void randomCommands(long seed, AllocationStrategy strategy) {
    MasterConfig config = RandomCommands.config(strategy);
    MasterFixture m = MasterFixture.withSeed(config, seed);
    RandomCommands commands = new RandomCommands(m, seed);
    for (int i = 0; i < COMMANDS; i++) {
      try {
        commands.step();
        if (i % 50 == 0) {
          Invariants.check(m.state());
        }
      } catch (RuntimeException | AssertionError failed) {
        throw new AssertionError("seed " + seed + ", command " + i, failed);
      }
    }
    m.assertReplayAgrees();
    assertThat(typesIn(m.entries())).as("seed %d", seed).isEqualTo(EnumSet.allOf(EventType.class));
    assertThat(m.metric(CoreMetric.EVENTS_APPLIED)).isPositive();
    assertOneByOne(m.entries(), m.view().stateDigest());
    m.advanceSilently(seed * 1_000_000).crashAndRestart();
    m.assertReplayAgrees();
  }

  /** One event an entry gives the same state as the batches as they were. */
  private static void assertOneByOne(List<LogEntry> entries, long digest) {
    Replayer replayer = new Replayer(AllocatorKind.OFFSET);
    long index = 0;
    for (LogEntry entry : entries) {
      EntryHeader h = entry.header();
      for (Event event : EventCodec.readAll(entry.payload())) {
        EventBuffer out = new EventBuffer(64);
        EventCodec.write(event, out);
        EntryHeader alone =
            new EntryHeader(++index, h.epoch(), h.logTimeMs(), 0, h.causeCode(), h.actor(), true);
        replayer.entry(new LogEntry(alone, 0, Arrays.copyOf(out.array(), out.position())));
      }
    }
    assertThat(replayer.digest()).as("one event an entry").isEqualTo(digest);
  }

  @Test
  @DisplayName("all splits: after every batch a replay of the log so far gives the running state")
  void allSplits() {
    MasterFixture m = MasterFixture.withSeed(RandomCommands.config(AllocationStrategy.RANDOM), 5);
    RandomCommands commands = new RandomCommands(m, 5);
    Map<Long, Long> digestAt = new HashMap<>();
    for (int i = 0; i < 4_000; i++) {
      commands.step();
      digestAt.put(m.log().end().index(), m.view().stateDigest());
    }
    Replayer replayer = new Replayer(AllocatorKind.OFFSET);
    List<LogEntry> entries = m.entries();
    for (LogEntry entry : entries) {
      replayer.entry(entry);
      Long expected = digestAt.get(entry.header().index());
      if (expected != null) {
        assertThat(replayer.digest()).as("after entry %s", entry.header()).isEqualTo(expected);
      }
    }
    assertThat(typesIn(entries)).isEqualTo(EnumSet.allOf(EventType.class));
  }

  @Test
  @DisplayName("a recorded digest is the digest of everything before it")
  void recordedDigest() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.stopAndRestart(config -> config);
    Replayer replayer = new Replayer(AllocatorKind.OFFSET);
    int recorded = 0;
    for (LogEntry entry : m.entries()) {
      for (Event event : EventCodec.readAll(entry.payload())) {
        if (event instanceof Event.StateDigest digest) {
          assertThat(digest.digest()).isEqualTo(replayer.digest());
          assertThat(digest.objectCount()).isEqualTo(1);
          recorded++;
        }
      }
      replayer.entry(entry);
    }
    assertThat(recorded).isEqualTo(1);
    assertThat(m.view().epoch()).isEqualTo(2);
  }

  @Test
  @DisplayName("a missing entry and an event that does not fit stop the replay")
  void brokenLogs() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    List<LogEntry> entries = new ArrayList<>(m.entries());
    entries.remove(1);
    Replayer gap = new Replayer(AllocatorKind.OFFSET);
    assertThatThrownBy(() -> entries.forEach(gap::entry))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("missing");
    Replayer unfit = new Replayer(AllocatorKind.OFFSET);
    LogEntry last = m.entries().get(m.entries().size() - 1);
    EntryHeader h = last.header();
    EntryHeader first =
        new EntryHeader(1, h.epoch(), h.logTimeMs(), 0, h.causeCode(), h.actor(), true);
    assertThatThrownBy(() -> unfit.entry(new LogEntry(first, 0, last.payload())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not exist");
  }

  @Test
  @DisplayName("OBJ-195 (restart) a put that was under way is ended at the same address")
  void endAfterRestart() {
    MasterFixture m = MasterFixture.base();
    var started = MasterFixture.<List<ReplicaDescriptor>>value(m.putStart(C1, "a", KIB));
    m.crashAndRestart();
    assertThat(code(m.putStart(C2, "b", 16 * MIB)))
        .as("the range is held")
        .isEqualTo(Codes.NO_MEMORY);
    assertThat(m.putEnd(C1, "a")).isZero();
    assertThat(Calls.address(m.readable("a"))).isEqualTo(Calls.address(started));
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "OBJ-196 (restart) an eviction that was not durable never happened: listed, range not reused")
  void evictionNotDurable() throws InterruptedException {
    MasterFixture m = MasterFixture.onDisk(TestConfig.defaults());
    m.send(new Request.MountSegment(m.segment("m1", 16 * MIB), C1));
    ReplicateConfig one = ReplicateConfig.DEFAULT;
    MasterFixture.Pending start =
        m.send(new Request.WriteStart(Rpc.PUT_START, C1, "a", 15 * MIB, one, MasterFixture.TENANT));
    m.send(
        new Request.WriteEnd(
            Rpc.PUT_END, C1, "a", OptionalLong.empty(), ReplicaType.MEMORY, MasterFixture.TENANT));
    m.log().force();
    assertThat(code(start.reply)).isZero();
    long end = m.log().end().index();
    m.advanceSilently(1);
    Thread evicting = new Thread(m::tick, "evicts and waits for the disk");
    evicting.start();
    while (m.log().end().index() == end) {
      Thread.onSpinWait();
    }
    assertThat(m.view().objectCount()).as("evicted, not durable").isZero();
    SimulatedLog dead = m.log();
    dead.failForce();
    evicting.join();
    m.faults.clear();
    m.losePowerAndRestart();
    m.log().force();
    assertThat(m.peek("a")).isZero();
    MasterFixture.Pending other =
        m.send(new Request.WriteStart(Rpc.PUT_START, C1, "b", 15 * MIB, one, MasterFixture.TENANT));
    m.log().force();
    assertThat(code(other.reply)).isEqualTo(Codes.NO_MEMORY);
  }

  @Test
  @DisplayName("OBJ-198 (restart) a soft pin lasts until its deadline")
  void pinSurvivesRestart() {
    MasterFixture m = MasterFixture.base();
    m.put("a", KIB, Ask.pinned(60_000));
    m.putStart(C1, "b", KIB, Ask.pinned(30_000));
    m.advance(20_000).crashAndRestart();
    assertThat(m.putEnd(C1, "b")).isZero();
    assertThat(m.view().softPinnedCount()).isEqualTo(2);
    assertThat(Calls.pinDeadline(m, "a")).isEqualTo(60_000);
    m.advance(31_000);
    assertThat(m.view().softPinnedCount()).isEqualTo(1);
    m.advance(10_000);
    assertThat(m.view().softPinnedCount()).isZero();
    m.assertReplayAgrees();
  }
}
