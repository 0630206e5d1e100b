package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.log.OperationLog;
import io.tidemark.api.log.ReplicaLog;
import io.tidemark.testkit.log.OperationLogContract;
import io.tidemark.testkit.log.ReplicaLogContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
      Logs.awaitDurable(running, index);
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

  @Nested
  class PageReplica extends Replica {
    PageReplica() {
      super(Persist.PAGE);
    }
  }

  @Nested
  class DiskReplica extends Replica {
    DiskReplica() {
      super(Persist.DISK);
    }
  }

  abstract static class Replica extends ReplicaLogContract {
    private final Persist persist;
    private final Map<String, Integer> lives = new HashMap<>();
    @TempDir private Path root;

    Replica(Persist persist) {
      this.persist = persist;
    }

    @Override
    protected ReplicaLog openLog(String node) {
      return ChronicleLog.open(Logs.options(home(node)).withPersist(persist)).log();
    }

    @Override
    protected void crash(String node, ReplicaLog running) {
      Path left = home(node);
      lives.merge(node, 1, Integer::sum);
      Logs.copy(left, home(node));
    }

    @Override
    protected void awaitDurable(ReplicaLog running, long index) {
      Logs.awaitDurable(running, index);
    }

    @Override
    protected void removeBefore(ReplicaLog running, long index) {
      assertThat(((ChronicleLog) running).removeBefore(index)).isNotEmpty();
    }

    private Path home(String node) {
      return root.resolve(node + lives.getOrDefault(node, 0));
    }
  }
}
