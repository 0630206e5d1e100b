package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.TENANT;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.MasterFixture.Pending;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** COR-03 and the single-threaded half of COR-08: what the end of a term leaves behind. */
class LogFailureTest {

  @Test
  @DisplayName("COR-03 a failed append ends the term: nothing more is appended, answered or shown")
  void failedAppendEndsTheTerm() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    long end = m.log().end().index();
    m.log().failNextAppend();
    assertThat(code(m.putStart(C1, "b", KIB))).isEqualTo(Codes.UNAVAILABLE);
    assertThat(m.faults).hasSize(1);
    assertThat(m.view().isServing()).isFalse();
    assertThat(code(m.putStart(C1, "c", KIB))).isEqualTo(Codes.UNAVAILABLE);
    assertThat(code(m.get("a"))).isEqualTo(Codes.UNAVAILABLE);
    assertThat(code(m.call(new Request.Ping(C1)))).isEqualTo(Codes.UNAVAILABLE);
    assertThat(MasterFixture.codes(m.call(Calls.batchExist("a", "b"))))
        .containsExactly(Codes.UNAVAILABLE, Codes.UNAVAILABLE);
    m.advance(5000);
    assertThat(m.log().end().index()).isEqualTo(end);
  }

  @Test
  @DisplayName("COR-03 a restart after a failed append knows nothing of it")
  void restartAfterFailedAppend() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.log().failNextAppend();
    m.putStart(C1, "b", KIB);
    m.faults.clear();
    m.crashAndRestart();
    assertThat(m.readable("a")).hasSize(1);
    assertThat(m.peek("b")).isEqualTo(Codes.NOT_FOUND);
    assertThat(code(m.putStart(C1, "b", KIB))).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-03 a failure in the middle of a batch leaves none of the batch after a restart")
  void halfBatchIsCut() {
    SimulatedLog inner = new SimulatedLog(SimulatedLog.Mode.PAGE);
    FailingLog log = new FailingLog(inner);
    List<String> ends = new ArrayList<>();
    Master master = start(log, ends);
    call(master, new Request.MountSegment(segment(), C1));
    long before = digest(inner);
    log.failAtAppend = 3;
    Reply reply = call(master, bigBatch());
    assertThat(MasterFixture.codes(reply)).hasSize(3000).containsOnly(Codes.UNAVAILABLE);
    assertThat(ends).hasSize(1);
    assertThat(inner.end().index()).as("entries of the half batch").isEqualTo(before(inner) + 2);
    SimulatedLog restarted = inner.crash();
    assertThat(digest(restarted)).isEqualTo(before);
  }

  private static long before(SimulatedLog log) {
    long[] last = new long[1];
    log.read(
        1,
        entry -> {
          last[0] = entry.header().batchEnd() ? entry.header().index() : last[0];
          return true;
        });
    return last[0];
  }

  @Test
  @DisplayName("a batch beyond the size of an entry is sliced; only its last entry carries the end")
  void batchesAreSliced() {
    SimulatedLog inner = new SimulatedLog(SimulatedLog.Mode.PAGE);
    Master master = start(new FailingLog(inner), new ArrayList<>());
    call(master, new Request.MountSegment(segment(), C1));
    long from = inner.end().index() + 1;
    assertThat(MasterFixture.codes(call(master, bigBatch()))).containsOnly(Codes.OK);
    List<LogEntry> entries = new ArrayList<>();
    inner.read(from, entries::add);
    assertThat(entries).hasSizeGreaterThan(2);
    assertThat(entries.subList(0, entries.size() - 1))
        .allMatch(e -> !e.header().batchEnd() && e.payload().length <= 1 << 20);
    assertThat(entries.get(entries.size() - 1).header().batchEnd()).isTrue();
    assertThat(entries.stream().mapToInt(e -> EventCodec.readAll(e.payload()).size()).sum())
        .isEqualTo(3000);
    assertThat(digest(inner)).isEqualTo(master.view().stateDigest());
  }

  @Test
  @DisplayName("COR-03, COR-04 a failed force answers what was in flight with an unknown outcome")
  void failedForce() {
    MasterFixture m = MasterFixture.onDisk(TestConfig.defaults());
    m.send(new Request.MountSegment(m.segment("m1", 16 * MIB), C1));
    m.log().force();
    Pending write =
        m.send(
            new Request.WriteStart(Rpc.PUT_START, C1, "a", KIB, ReplicateConfig.DEFAULT, TENANT));
    Pending read = m.send(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "a", TENANT));
    Pending refusal = m.send(new Request.Remove("b", false, TENANT));
    m.log().failForce();
    for (Pending pending : List.of(write, read, refusal)) {
      assertThat(code(pending.reply)).isEqualTo(Codes.UNAVAILABLE);
    }
    assertThat(m.view().isServing()).isFalse();
    assertThat(m.faults).hasSize(1);
  }

  @Test
  @DisplayName("COR-08 a reader of an ended term is refused, whatever the record says")
  void readerOfEndedTerm() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    Master old = m.master();
    m.crashAndRestart();
    m.log().failNextAppend();
    m.remove("a", true);
    assertThat(code(m.get("a"))).isEqualTo(Codes.UNAVAILABLE);
    old.stop();
    Reply stale = call(old, new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "a", TENANT));
    assertThat(code(stale)).isEqualTo(Codes.UNAVAILABLE);
  }

  @Test
  @DisplayName("COR-03 a full disk refuses mutations before anything is decided; reads go on")
  void fullDisk() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    long digest = m.view().stateDigest();
    m.log().full(true);
    assertThat(code(m.putStart(C1, "b", KIB))).isEqualTo(Codes.UNAVAILABLE);
    assertThat(m.remove("a", true)).isEqualTo(Codes.UNAVAILABLE);
    assertThat(m.putRevoke(C1, "a", ReplicaType.MEMORY)).isEqualTo(Codes.UNAVAILABLE);
    assertThat(code(m.get("a"))).isZero();
    assertThat(m.ping(C1)).isNotNull();
    assertThat(m.metric(CoreMetric.LOG_FULL_REFUSALS)).isEqualTo(3);
    assertThat(m.view().stateDigest()).isEqualTo(digest);
    m.log().full(false);
    assertThat(code(m.putStart(C1, "b", KIB))).isZero();
    assertThat(m.faults).isEmpty();
  }

  @Test
  @DisplayName("COR-03 a start on a full disk says so in the log's own words")
  void startOnAFullDisk() {
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.PAGE);
    log.full(true);
    List<String> ends = new ArrayList<>();
    assertThatThrownBy(() -> start(log, ends))
        .isInstanceOf(LogFullException.class)
        .hasMessageContaining("simulated full disk");
    assertThat(ends).hasSize(1);
    assertThat(log.end().index()).isZero();
  }

  // ---- a log that fails at a chosen append

  private static Master start(OperationLog log, List<String> ends) {
    FaultHandler faults =
        new FaultHandler() {
          @Override
          public void commandFailed(String command, RuntimeException broken) {
            throw new AssertionError(command, broken);
          }

          @Override
          public void termEnded(String why, Throwable cause) {
            ends.add(why);
          }
        };
    Master.Ports ports = new Master.Ports(log, () -> 0, () -> 0, bound -> 0, Runnable::run, faults);
    return Master.start(
        TestConfig.defaults(), ports, new Master.TermStart(new Uuid(9, 9), false, false));
  }

  private static Reply call(Master master, Request request) {
    Pending pending = new Pending();
    master.submit(request, new Origin(1), pending);
    assertThat(pending.reply).isNotNull();
    return pending.reply;
  }

  private static io.tidemark.api.rpc.SegmentInfo segment() {
    return new io.tidemark.api.rpc.SegmentInfo(
        new Uuid(7, 1), "m1", 1 << 20, 16 * MIB, "m1", "tcp", "");
  }

  private static Request bigBatch() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      keys.add("a rather long key so that the batch outgrows an entry ".repeat(5) + i);
    }
    return Calls.batchStart(Rpc.BATCH_PUT_START, C1, keys, ReplicateConfig.DEFAULT);
  }

  private static long digest(SimulatedLog log) {
    Replayer replayer = new Replayer(AllocatorKind.OFFSET);
    log.read(
        1,
        entry -> {
          replayer.entry(entry);
          return true;
        });
    return replayer.digest();
  }

  /** Hands everything on; the append of a chosen number fails. */
  private static final class FailingLog implements OperationLog {
    private final SimulatedLog inner;
    int failAtAppend;

    FailingLog(SimulatedLog inner) {
      this.inner = inner;
    }

    @Override
    public LogPosition end() {
      return inner.end();
    }

    @Override
    public void append(EntryHeader header, byte[] payload, int offset, int length) {
      if (failAtAppend > 0 && --failAtAppend == 0) {
        inner.failNextAppend();
      }
      inner.append(header, payload, offset, length);
    }

    @Override
    public void endBatch() {
      inner.endBatch();
    }

    @Override
    public long committedIndex() {
      return inner.committedIndex();
    }

    @Override
    public void onCommit(CommitListener listener) {
      inner.onCommit(listener);
    }

    @Override
    public void read(long fromIndex, EntryReader reader) {
      inner.read(fromIndex, reader);
    }

    @Override
    public void close(boolean clean) {
      inner.close(clean);
    }
  }
}
