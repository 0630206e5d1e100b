package io.tidemark.testkit.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.OperationLog;
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
        });
    OperationLogContract.appendBatches(log, 1);
    log.failForce();
    assertThat(told[0]).isNotNull();
    assertThat(log.committedIndex()).isZero();
    assertThatThrownBy(() -> OperationLogContract.appendBatches(log, 1))
        .isInstanceOf(LogFailureException.class);
  }
}
