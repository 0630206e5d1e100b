package io.tidemark.oplog.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ha.Member;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.OperationLog;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What commit needs (COR-04, COR-14, COR-15, COR-18). */
class ReplicatedLogTest {
  private static final Member SELF = new Member(new UUID(0, 1), new UUID(1, 1));
  private static final Member A = new Member(new UUID(0, 2), new UUID(1, 2));
  private static final Member B = new Member(new UUID(0, 3), new UUID(1, 3));

  private final AtomicBoolean fenced = new AtomicBoolean();
  private final AtomicInteger wakes = new AtomicInteger();
  private final ReplicationCounters counters = new ReplicationCounters();
  private final List<Long> told = new ArrayList<>();
  private int stalls;

  private ReplicatedLog log(SimulatedLog local, int minInSync, Member... inSync) {
    ReplicatedLog log =
        new ReplicatedLog(
            new ReplicatedLog.Parts(
                local, SELF, 5, minInSync, fenced::get, counters, wakes::incrementAndGet),
            List.of(inSync));
    log.onCommit(
        new OperationLog.CommitListener() {
          @Override
          public void committed(long index) {
            told.add(index);
          }

          @Override
          public void failed(LogFailureException failure) {
            throw failure;
          }

          @Override
          public void stalled() {
            stalls++;
          }
        });
    return log;
  }

  private static SimulatedLog page() {
    return new SimulatedLog(SimulatedLog.Mode.PAGE);
  }

  @Test
  void aloneTheLocalLogDecides() {
    SimulatedLog disk = new SimulatedLog(SimulatedLog.Mode.DISK);
    ReplicatedLog log = log(disk, 1, SELF);
    Entries.append(log, 5, 3, "x");
    assertThat(log.committedIndex()).isZero();
    disk.force();
    assertThat(log.committedIndex()).isEqualTo(3);
    assertThat(told).containsExactly(3L);
    assertThat(wakes).hasValue(3);
  }

  @Test
  void theSlowestRequiredMemberDecides() {
    ReplicatedLog log = log(page(), 1, SELF, A, B);
    Entries.append(log, 5, 10, "x");
    log.acknowledged(A, 10);
    assertThat(log.committedIndex()).isZero();
    log.acknowledged(B, 4);
    assertThat(log.committedIndex()).isEqualTo(4);
    log.acknowledged(B, 7);
    assertThat(told).containsExactly(4L, 7L);
  }

  /** COR-15: what was committed stays so; a new stream's silence takes nothing back. */
  @Test
  void commitNeverFalls() {
    ReplicatedLog log = log(page(), 1, SELF, A);
    Entries.append(log, 5, 10, "x");
    log.acknowledged(A, 8);
    log.streamBegan(A);
    log.require(List.of(SELF, A, B), 2);
    log.acknowledged(B, 2);
    log.advanceAndTell();
    assertThat(log.committedIndex()).isEqualTo(8);
    log.acknowledged(A, 10);
    assertThat(log.committedIndex()).isEqualTo(8);
    log.acknowledged(B, 10);
    assertThat(log.committedIndex()).isEqualTo(10);
  }

  /** COR-04. */
  @Test
  void belowMinInSyncNothingIsTakenAndNothingCommits() {
    ReplicatedLog log = log(page(), 2, SELF, A);
    assertThat(log.hasSpace()).isTrue();
    Entries.append(log, 5, 2, "x");
    log.require(List.of(SELF), 1);
    log.advanceAndTell();
    log.tellStalled();
    assertThat(log.hasSpace()).isFalse();
    assertThat(log.committedIndex()).isZero();
    assertThat(stalls).isEqualTo(1);
    log.require(List.of(SELF, B), 2);
    log.acknowledged(B, 2);
    assertThat(log.hasSpace()).isTrue();
    assertThat(log.committedIndex()).isEqualTo(2);
  }

  /** COR-18. */
  @Test
  void behindTheFenceNothingIsAppendedOrCommitted() {
    SimulatedLog local = page();
    ReplicatedLog log = log(local, 1, SELF, A);
    Entries.append(log, 5, 2, "x");
    fenced.set(true);
    log.acknowledged(A, 2);
    assertThat(log.committedIndex()).isZero();
    assertThat(log.hasSpace()).isFalse();
    assertThatThrownBy(() -> Entries.append(log, 5, 1, "y"))
        .isInstanceOf(LogFailureException.class);
    assertThat(local.end().index()).isEqualTo(2);
    assertThat(log.localFailure()).isNull();
    assertThat(counters.get(ReplicationCounter.APPENDS_FENCED)).isEqualTo(1);
  }

  @Test
  void onlyWholeBatchesMayBeShipped() {
    ReplicatedLog log = log(page(), 1, SELF);
    Entries.one(log, 5, "first of two", false);
    assertThat(log.wholeIndex()).isZero();
    Entries.one(log, 5, "second of two", true);
    log.endBatch();
    assertThat(log.wholeIndex()).isEqualTo(2);
  }

  @Test
  void aFailureOfTheLocalLogIsKept() {
    SimulatedLog local = page();
    ReplicatedLog log = log(local, 1, SELF);
    local.failNextAppend();
    assertThatThrownBy(() -> Entries.append(log, 5, 1, "x"))
        .isInstanceOf(LogFailureException.class);
    assertThat(log.localFailure()).isNotNull();
  }

  /** COR-20: the leader's entries carry what it knows to be committed. */
  @Test
  void entriesCarryTheCommitIndex() {
    SimulatedLog local = page();
    ReplicatedLog log = log(local, 1, SELF, A);
    Entries.append(log, 5, 2, "x");
    log.acknowledged(A, 2);
    Entries.append(log, 5, 1, "y");
    assertThat(local.crash().knownCommit()).isEqualTo(2);
  }
}
