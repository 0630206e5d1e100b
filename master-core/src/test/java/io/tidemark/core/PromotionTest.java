package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A standby's state goes on as a leader's, and stops at the fence (COR-08, COR-18, COR-24). */
class PromotionTest implements FaultHandler {
  private static final int UNAVAILABLE = ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value();

  private final MasterFixture before = MasterFixture.base();
  private final AtomicBoolean fenced = new AtomicBoolean();
  private final List<Reply> started = new ArrayList<>();
  private final List<String> ends = new ArrayList<>();
  private long nanos;

  @Override
  public void commandFailed(String command, RuntimeException broken) {
    throw new AssertionError(command, broken);
  }

  @Override
  public void termEnded(String why, Throwable cause) {
    ends.add(why);
  }

  private Replayer standby() {
    Replayer replayer = new Replayer(AllocatorKind.OFFSET);
    before.entries().forEach(replayer::entry);
    return replayer;
  }

  private Master promote(SimulatedLog log, Replayer standby, long epoch) {
    SplittableRandom random = new SplittableRandom(3);
    Master.Ports ports =
        new Master.Ports(log, () -> nanos, () -> 0, random::nextInt, Runnable::run, this);
    Master.TermStart start = new Master.TermStart(new Uuid(4, 4), false, false);
    return Master.promote(
        TestConfig.defaults(),
        ports,
        new Master.Promotion(start, epoch, fenced::get),
        standby,
        started::add);
  }

  private static int code(Master master, Request request) {
    MasterFixture.Pending pending = new MasterFixture.Pending();
    master.submit(request, new Origin(1), pending);
    return MasterFixture.code(pending.reply);
  }

  private static Request get(String key) {
    return new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, MasterFixture.TENANT);
  }

  private static Request remove(String key) {
    return new Request.Remove(key, false, MasterFixture.TENANT);
  }

  @Test
  void theStateGoesOnUnderTheWonEpoch() {
    before.put("k");
    SimulatedLog log = before.log().crash();
    Master master = promote(log, standby(), 17);
    assertThat(started).containsExactly(Reply.OK);
    assertThat(log.end().epoch()).isEqualTo(17);
    assertThat(code(master, get("k"))).isZero();
    assertThat(master.state().epoch()).isEqualTo(17);
  }

  /** COR-24: leases that the term before granted hold. */
  @Test
  void everythingCountsAsLeasedForAWhile() {
    before.put("k");
    Master master = promote(before.log().crash(), standby(), 2);
    assertThat(code(master, remove("k"))).isEqualTo(ErrorCode.OBJECT_HAS_LEASE.value());
    nanos += 10_001_000_000L;
    assertThat(code(master, remove("k"))).isZero();
  }

  @Test
  void theTermStartsOnceItsEntryCommits() {
    before.put("k");
    SimulatedLog disk = diskLogWithSameEntries();
    Master master = promote(disk, standby(), 3);
    assertThat(started).isEmpty();
    disk.force();
    assertThat(started).containsExactly(Reply.OK);
    assertThat(code(master, get("k"))).isZero();
  }

  private SimulatedLog diskLogWithSameEntries() {
    SimulatedLog source = before.log();
    SimulatedLog disk = new SimulatedLog(SimulatedLog.Mode.DISK);
    source.readRecords(
        1,
        Integer.MAX_VALUE,
        (header, chainHash, record) -> {
          disk.appendRecord(record, 0, record.length);
          if (header.batchEnd()) {
            disk.endBatch();
          }
          return true;
        });
    disk.force();
    return disk;
  }

  /** COR-08: reads, decisions, and answers whose entries are committed already. */
  @Test
  void behindTheFenceNothingIsAnswered() {
    before.put("k");
    before.put("l");
    SimulatedLog disk = diskLogWithSameEntries();
    Master master = promote(disk, standby(), 3);
    disk.force();
    nanos += 10_001_000_000L;
    MasterFixture.Pending waiting = new MasterFixture.Pending();
    master.submit(remove("k"), new Origin(1), waiting);
    assertThat(waiting.reply).isNull();
    fenced.set(true);
    disk.force();
    assertThat(MasterFixture.code(waiting.reply)).isEqualTo(UNAVAILABLE);
    assertThat(code(master, get("l"))).isEqualTo(UNAVAILABLE);
    long end = disk.end().index();
    assertThat(code(master, remove("l"))).isEqualTo(UNAVAILABLE);
    assertThat(disk.end().index()).isEqualTo(end);
  }

  /** COR-04: who waits is told, and the term goes on. */
  @Test
  void whoWaitsIsToldThatTheLogIsStalled() {
    before.put("k");
    SimulatedLog disk = diskLogWithSameEntries();
    Master master = promote(disk, standby(), 3);
    disk.force();
    nanos += 10_001_000_000L;
    MasterFixture.Pending waiting = new MasterFixture.Pending();
    master.submit(remove("k"), new Origin(1), waiting);
    master.commits().stalled();
    assertThat(MasterFixture.code(waiting.reply)).isEqualTo(UNAVAILABLE);
    disk.force();
    assertThat(code(master, get("k"))).isEqualTo(ErrorCode.OBJECT_NOT_FOUND.value());
  }

  /** A new leader waits for members; it does not give up its term. */
  @Test
  void theStartOfATermGoesOnWaiting() {
    SimulatedLog disk = diskLogWithSameEntries();
    Master master = promote(disk, standby(), 3);
    master.commits().stalled();
    assertThat(started).isEmpty();
    disk.force();
    assertThat(started).containsExactly(Reply.OK);
  }

  @Test
  void anEndedTermRefusesWhatWaits() {
    before.put("k");
    SimulatedLog disk = diskLogWithSameEntries();
    Master master = promote(disk, standby(), 3);
    disk.force();
    nanos += 10_001_000_000L;
    MasterFixture.Pending waiting = new MasterFixture.Pending();
    master.submit(remove("k"), new Origin(1), waiting);
    master.endTerm("the test says so");
    assertThat(MasterFixture.code(waiting.reply)).isEqualTo(UNAVAILABLE);
    assertThat(code(master, get("k"))).isEqualTo(UNAVAILABLE);
    assertThat(ends).isEmpty();
  }

  @Test
  void aStateThatDoesNotFitTheLogIsRefused() {
    before.put("k");
    SimulatedLog log = before.log().crash();
    Replayer behind = new Replayer(AllocatorKind.OFFSET);
    before.entries().subList(0, 1).forEach(behind::entry);
    assertThatThrownBy(() -> promote(log, behind, 9))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("can't start");
    assertThatThrownBy(() -> promote(log, standby(), 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("epoch 1");
  }
}
