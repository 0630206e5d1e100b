package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.log.OperationLog;
import io.tidemark.testkit.log.OperationLogContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The log on disk keeps the contract of the port, in both modes. */
class ChronicleLogContractTest {

  @Nested
  class Page extends Contract {
    Page() {
      super(Persist.PAGE);
    }
  }

  @Nested
  class Disk extends Contract {
    Disk() {
      super(Persist.DISK);
    }
  }

  abstract static class Contract extends OperationLogContract {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Persist persist;
    private final List<OperationLog> dead = new ArrayList<>();
    private int lives;
    @TempDir private Path root;

    Contract(Persist persist) {
      this.persist = persist;
    }

    @Override
    protected OperationLog openLog() {
      return ChronicleLog.open(Logs.options(root.resolve("life" + lives)).withPersist(persist))
          .log();
    }

    @Override
    protected void crash(OperationLog running) {
      Path left = root.resolve("life" + lives);
      lives++;
      Logs.copy(left, root.resolve("life" + lives));
      dead.add(running);
    }

    @Override
    protected void awaitCommit(OperationLog running, long index) {
      long begin = System.nanoTime();
      while (running.committedIndex() < index) {
        assertThat(System.nanoTime() - begin).as("waited in ns").isLessThan(PATIENCE_NANOS);
        LockSupport.parkNanos(100_000);
      }
    }

    @Override
    protected boolean commitsInEndBatch() {
      return persist == Persist.PAGE;
    }

    @AfterEach
    void bury() {
      dead.forEach(OperationLog::close);
    }
  }
}
