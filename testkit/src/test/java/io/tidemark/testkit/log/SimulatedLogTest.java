package io.tidemark.testkit.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.log.ReplicaLog;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The simulated log keeps the contract and fails as asked. */
class SimulatedLogTest {

  @Nested
  class Page extends Contract {
    Page() {
      super(SimulatedLog.Mode.PAGE);
    }
  }

  @Nested
  class Disk extends Contract {
    Disk() {
      super(SimulatedLog.Mode.DISK);
    }
  }

  abstract static class Contract extends OperationLogContract {
    private final SimulatedLog.Mode mode;
    private SimulatedLog current;

    Contract(SimulatedLog.Mode mode) {
      this.mode = mode;
    }

    @Override
    protected OperationLog openLog() {
      current = current == null ? new SimulatedLog(mode) : current.crash();
      return current;
    }

    @Override
    protected void crash(OperationLog running) {}

    @Override
    protected void awaitCommit(OperationLog running, long index) {
      current.force();
    }

    @Override
    protected boolean commitsInEndBatch() {
      return mode == SimulatedLog.Mode.PAGE;
    }
  }

  @Nested
  class PageReplica extends Replica {
    PageReplica() {
      super(SimulatedLog.Mode.PAGE);
    }
  }

  @Nested
  class DiskReplica extends Replica {
    DiskReplica() {
      super(SimulatedLog.Mode.DISK);
    }
  }

  abstract static class Replica extends ReplicaLogContract {
    private final SimulatedLog.Mode mode;
    private final Map<String, SimulatedLog> dead = new HashMap<>();

    Replica(SimulatedLog.Mode mode) {
      this.mode = mode;
    }

    @Override
    protected ReplicaLog openLog(String node) {
      return dead.containsKey(node) ? dead.get(node).crash() : new SimulatedLog(mode);
    }

    @Override
    protected void crash(String node, ReplicaLog running) {
      dead.put(node, (SimulatedLog) running);
    }

    @Override
    protected void awaitDurable(ReplicaLog running, long index) {
      ((SimulatedLog) running).force();
    }

    @Override
    protected void removeBefore(ReplicaLog running, long index) {
      ((SimulatedLog) running).removeBefore(index);
    }
  }

  /** COR-03. */
  @Test
  void cor03AFailedAppendEndsTheTerm() {
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.PAGE);
    OperationLogContract.appendBatches(log, 2);
    log.failNextAppend();
    assertThatThrownBy(() -> OperationLogContract.appendBatches(log, 1))
        .isInstanceOf(LogFailureException.class);
    assertThat(log.hasSpace()).isFalse();
    assertThat(log.crash().end().index()).isEqualTo(2);
  }

  /** COR-03. */
  @Test
  void cor03AFullDiskRefusesABatchAndLeavesTheTerm() {
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.PAGE);
    log.full(true);
    assertThat(log.hasSpace()).isFalse();
    assertThatThrownBy(() -> OperationLogContract.appendBatches(log, 1))
        .isInstanceOf(LogFullException.class);
    log.full(false);
    OperationLogContract.appendBatches(log, 1);
    assertThat(log.end().index()).isEqualTo(1);
  }

  @Test
  void powerLossKeepsWhatWasForced() {
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.PAGE);
    OperationLogContract.appendBatches(log, 3);
    log.force();
    OperationLogContract.appendBatches(log, 2);
    assertThat(log.crash().end().index()).isEqualTo(5);
    assertThat(log.powerLoss().end().index()).isEqualTo(3);
  }

  @Test
  void powerLossMayLeaveMoreThanWasForcedButWholeBatches() {
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.DISK);
    OperationLogContract.appendBatches(log, 2);
    log.force();
    log.append(OperationLogContract.header(3, 1, false), new byte[1], 0, 1);
    log.append(OperationLogContract.header(4, 1, true), new byte[1], 0, 1);
    log.endBatch();
    assertThat(log.powerLossKeeping(1).end().index()).isEqualTo(2);
    assertThat(log.powerLossKeeping(2).end().index()).isEqualTo(4);
    assertThat(log.powerLossKeeping(9).end().index()).isEqualTo(4);
  }

  /** COR-18, COR-20, COR-21: what is forced before it returns outlives a power loss. */
  @Test
  void powerLossKeepsTheEpochTheCutAndTheEvidence() {
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.DISK);
    OperationLogContract.appendBatches(log, 4);
    log.force();
    log.acceptEpoch(9);
    log.noteCommit(3);
    log.truncateAfter(log.positionAt(3).orElseThrow(), false);
    SimulatedLog next = log.powerLoss();
    assertThat(next.end().index()).isEqualTo(3);
    assertThat(next.acceptedEpoch()).isEqualTo(9);
    assertThat(next.knownCommit()).as("no entry carries it").isZero();
    assertThat(next.evidence())
        .singleElement()
        .satisfies(cut -> assertThat(cut.records()).hasSize(1));
  }

  @Test
  void aLogAloneKnowsWhatIsCommitted() {
    SimulatedLog log = SimulatedLog.alone(SimulatedLog.Mode.PAGE);
    OperationLogContract.appendBatches(log, 3);
    assertThat(log.knownCommit()).isEqualTo(3);
    assertThat(OperationLogContract.entries(log, 3).get(0).header().commitIndex()).isEqualTo(2);
  }

  @Test
  void aFailedForceIsToldAndEndsTheTerm() {
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.DISK);
    LogFailureException[] told = new LogFailureException[1];
    log.onCommit(
        new OperationLog.CommitListener() {
          @Override
          public void committed(long index) {}

          @Override
          public void failed(LogFailureException failure) {
            told[0] = failure;
          }

          @Override
          public void stalled() {
            throw new AssertionError("a log by itself does not stall");
          }
        });
    OperationLogContract.appendBatches(log, 1);
    log.failForce();
    assertThat(told[0]).isNotNull();
    assertThat(log.committedIndex()).isZero();
    assertThatThrownBy(() -> OperationLogContract.appendBatches(log, 1))
        .isInstanceOf(LogFailureException.class);
  }
}
