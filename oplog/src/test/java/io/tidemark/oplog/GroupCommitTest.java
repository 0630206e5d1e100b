package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.OperationLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code persist=disk}: commit follows a forced write, many batches share one. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GroupCommitTest {
  private static final GroupCommit.Start START = new GroupCommit.Start(List.of(), 1, 0);

  private final ForceCounters counters = new ForceCounters();
  @TempDir private Path root;

  private record Told(long index, String thread) {}

  @Test
  void commitsComeFromTheSyncThreadInOrderAndReachTheEnd() throws Exception {
    LogOptions options = Logs.options(root).withPersist(Persist.DISK).withSegmentBytes(100_000);
    ChronicleLog log = ChronicleLog.open(options).log();
    BlockingQueue<Told> told = new ArrayBlockingQueue<>(5000);
    log.onCommit(
        new OperationLog.CommitListener() {
          @Override
          public void committed(long index) {
            told.add(new Told(index, Thread.currentThread().getName()));
          }

          @Override
          public void failed(LogFailureException failure) {
            told.add(new Told(-1, failure.getMessage()));
          }

          @Override
          public void stalled() {
            throw new AssertionError("a log by itself does not stall");
          }
        });
    Logs.append(log, 2000, 100);
    long last = 0;
    while (last < 2000) {
      Told next = told.take();
      assertThat(next.thread()).isEqualTo("log-sync");
      assertThat(next.index()).isGreaterThan(last);
      last = next.index();
      assertThat(log.committedIndex()).isGreaterThanOrEqualTo(last);
    }
    LogCounters counters = log.counters();
    assertThat(counters.forces()).isBetween(1L, 2000L + 2 * counters.segments());
    assertThat(counters.forceNanosMax()).isPositive();
    assertThat(counters.forceNanosTotal()).isGreaterThanOrEqualTo(counters.forceNanosMax());
    assertThat(counters.segments()).isGreaterThan(3);
    log.close();
  }

  @Test
  void batchesThatCameDuringAForcedWriteShareTheNext() throws Exception {
    Files.createFile(SegmentName.of(1, root).file());
    CompletableFuture<Void> go = new CompletableFuture<>();
    CompletableFuture<Void> first = new CompletableFuture<>();
    BlockingQueue<Long> told = new ArrayBlockingQueue<>(10);
    GroupCommit sync =
        new GroupCommit(
            root,
            START,
            counters,
            new GroupCommit.Listener() {
              @Override
              public void committed(long index) {
                told.add(index);
                first.complete(null);
                go.join();
              }

              @Override
              public void failed(LogFailureException failure) {
                told.add(-1L);
              }
            });
    sync.request(1, 1);
    first.join();
    for (long index = 2; index <= 100; index++) {
      sync.request(index, 1);
    }
    go.complete(null);
    sync.close();
    assertThat(told).containsExactly(1L, 100L);
    assertThat(counters.groupEntriesMax()).isEqualTo(99);
    assertThat(counters.forces()).isEqualTo(2);
  }

  @Test
  void afterARollTheOldFileIsForcedBeforeTheNewOneCommits() throws IOException {
    Files.createFile(SegmentName.of(1, root).file());
    Files.createFile(SegmentName.of(2, root).file());
    BlockingQueue<Long> told = new ArrayBlockingQueue<>(10);
    GroupCommit sync = new GroupCommit(root, START, counters, collect(told));
    sync.request(7, 2);
    sync.close();
    assertThat(told).containsExactly(7L);
    assertThat(counters.forces()).isEqualTo(2);
  }

  /** A failed forced write may have lost pages: nothing is committed any more. */
  @Test
  void cor03AFailedForcedWriteEndsTheTerm() throws Exception {
    Files.createDirectory(SegmentName.of(1, root).file());
    BlockingQueue<Long> told = new ArrayBlockingQueue<>(10);
    GroupCommit sync = new GroupCommit(root, START, counters, collect(told));
    sync.request(1, 1);
    assertThat(told.take()).isEqualTo(-1L);
    sync.request(2, 1);
    sync.close();
    assertThat(told).isEmpty();
  }

  /** COR-03, through the log: it takes no more entries then. */
  @Test
  void cor03ALogWhoseForcedWriteFailedTakesNothing() throws Exception {
    LogOptions options = Logs.options(root).withPersist(Persist.DISK);
    ChronicleLog log = ChronicleLog.open(options).log();
    BlockingQueue<Long> told = new ArrayBlockingQueue<>(10);
    log.onCommit(
        new OperationLog.CommitListener() {
          @Override
          public void committed(long index) {
            told.add(index);
          }

          @Override
          public void failed(LogFailureException failure) {
            told.add(-1L);
          }

          @Override
          public void stalled() {
            throw new AssertionError("a log by itself does not stall");
          }
        });
    Logs.appendEntry(log, 1, 10, true);
    Path file = Logs.segment(root);
    Files.delete(file);
    Files.createDirectory(file);
    log.endBatch();
    assertThat(told.take()).isEqualTo(-1L);
    assertThat(log.committedIndex()).isZero();
    assertThatThrownBy(() -> Logs.append(log, 1, 10))
        .isInstanceOf(LogFailureException.class)
        .hasMessageContaining("failed before");
    log.close(true);
    assertThat(Files.exists(new LogDirectory(root).cleanStop())).isFalse();
  }

  private static GroupCommit.Listener collect(BlockingQueue<Long> told) {
    return new GroupCommit.Listener() {
      @Override
      public void committed(long index) {
        told.add(index);
      }

      @Override
      public void failed(LogFailureException failure) {
        told.add(-1L);
      }
    };
  }
}
