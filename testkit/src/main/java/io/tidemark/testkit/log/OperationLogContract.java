package io.tidemark.testkit.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every {@link OperationLog} promises. A subclass says how to open one and how it commits. */
public abstract class OperationLogContract {
  private OperationLog log;

  /** Opens the log of this test: an empty one at first, later what the last one left. */
  protected abstract OperationLog openLog();

  /** Lets the log's process die, so that {@link #openLog} finds what a new process would. */
  protected abstract void crash(OperationLog running);

  /** Returns once everything up to {@code index}, whose batch was ended, is committed. */
  protected abstract void awaitCommit(OperationLog running, long index);

  /** Whether {@code endBatch} itself commits. */
  protected abstract boolean commitsInEndBatch();

  @AfterEach
  void closeLog() {
    if (log != null) {
      log.close();
    }
  }

  @Test
  void aNewLogIsEmpty() {
    log = openLog();
    assertThat(log.end()).isEqualTo(LogPosition.START);
    assertThat(log.committedIndex()).isZero();
    assertThat(entries(log, 1)).isEmpty();
  }

  @Test
  void entriesAreReadBackAsTheyWereAppended() {
    log = openLog();
    EntryHeader first = new EntryHeader(1, 7, 100, -5, 1003, new Uuid(-1, 2), false);
    EntryHeader second = new EntryHeader(2, 7, 101, Long.MAX_VALUE, -1, Uuid.ZERO, true);
    log.append(first, new byte[] {9, 1, 2, 3, 9}, 1, 3);
    log.append(second, new byte[0], 0, 0);
    log.endBatch();

    List<LogEntry> read = entries(log, 1);
    assertThat(read).extracting(LogEntry::header).containsExactly(first, second);
    assertThat(read.get(0).payload()).containsExactly(1, 2, 3);
    assertThat(read.get(1).payload()).isEmpty();
    assertThat(log.end()).isEqualTo(new LogPosition(7, 2, read.get(1).chainHash()));
    assertThat(read.get(0).chainHash()).isNotEqualTo(read.get(1).chainHash());
  }

  @Test
  void readingBeginsAtTheIndexAndEndsWhenTheReaderSaysSo() {
    log = openLog();
    appendBatches(log, 10);
    List<Long> seen = new ArrayList<>();
    log.read(
        4,
        entry -> {
          seen.add(entry.header().index());
          return entry.header().index() < 7;
        });
    assertThat(seen).containsExactly(4L, 5L, 6L, 7L);
    assertThat(entries(log, 11)).isEmpty();
  }

  @Test
  void theCallerMayReuseItsArray() {
    log = openLog();
    byte[] payload = {1, 2, 3};
    log.append(header(1, 1, true), payload, 0, 3);
    Arrays.fill(payload, (byte) 0);
    log.endBatch();
    assertThat(entries(log, 1).get(0).payload()).containsExactly(1, 2, 3);
  }

  /** COR-01: nothing is committed before its batch was ended. */
  @Test
  void cor01OnlyEndedBatchesAreCommitted() {
    log = openLog();
    log.append(header(1, 1, true), new byte[4], 0, 4);
    assertThat(log.committedIndex()).isZero();
    log.endBatch();
    if (commitsInEndBatch()) {
      assertThat(log.committedIndex()).isEqualTo(1);
    }
    awaitCommit(log, 1);
    assertThat(log.committedIndex()).isEqualTo(1);
  }

  @Test
  void aCommitInsideEndBatchIsNotToldAndAnyOtherIs() {
    log = openLog();
    List<Long> told = new ArrayList<>();
    log.onCommit(
        new OperationLog.CommitListener() {
          @Override
          public void committed(long index) {
            synchronized (told) {
              told.add(index);
            }
          }

          @Override
          public void failed(LogFailureException failure) {}

          @Override
          public void stalled() {
            throw new AssertionError("a log by itself does not stall");
          }
        });
    appendBatches(log, 1);
    awaitCommit(log, 1);
    log.close();
    synchronized (told) {
      assertThat(told).isEqualTo(commitsInEndBatch() ? List.of() : List.of(1L));
    }
  }

  /** COR-03: a position never gets two contents. */
  @Test
  void cor03AnEntryOutOfOrderIsRefusedAndEndsTheTerm() {
    log = openLog();
    appendBatches(log, 2);
    assertThatThrownBy(() -> log.append(header(2, 1, true), new byte[0], 0, 0))
        .isInstanceOf(LogFailureException.class)
        .hasMessageContaining("entry 2");
    assertThatThrownBy(() -> log.append(header(3, 1, true), new byte[0], 0, 0))
        .isInstanceOf(LogFailureException.class);
    assertThatThrownBy(() -> log.endBatch()).isInstanceOf(LogFailureException.class);
    assertThat(entries(log, 1)).hasSize(2);
  }

  @Test
  void anEntryOfALowerEpochIsRefused() {
    log = openLog();
    log.append(header(1, 5, true), new byte[0], 0, 0);
    assertThatThrownBy(() -> log.append(header(2, 4, true), new byte[0], 0, 0))
        .isInstanceOf(LogFailureException.class);
  }

  @Test
  void aBatchIsOfOneEpoch() {
    log = openLog();
    log.append(header(1, 5, false), new byte[0], 0, 0);
    assertThatThrownBy(() -> log.append(header(2, 6, true), new byte[0], 0, 0))
        .isInstanceOf(LogFailureException.class);
  }

  @Test
  void aBatchCanNotBeEndedInside() {
    log = openLog();
    log.append(header(1, 1, false), new byte[0], 0, 0);
    assertThatThrownBy(() -> log.endBatch()).isInstanceOf(LogFailureException.class);
  }

  /** COR-03: a batch that was not finished is cut as a whole. */
  @Test
  void cor03AnUnfinishedBatchIsCutByTheNextStart() {
    log = openLog();
    appendBatches(log, 3);
    LogPosition whole = log.end();
    log.append(header(4, 1, false), new byte[8], 0, 8);
    log.append(header(5, 1, false), new byte[8], 0, 8);
    crash(log);

    log = openLog();
    assertThat(log.end()).isEqualTo(whole);
    assertThat(entries(log, 1)).hasSize(3);
    log.append(header(4, 2, true), new byte[] {42}, 0, 1);
    log.endBatch();
    assertThat(entries(log, 4).get(0).payload()).containsExactly(42);
  }

  @Test
  void aReopenedLogGoesOnWhereItEnded() {
    log = openLog();
    appendBatches(log, 5);
    LogPosition end = log.end();
    List<Long> chain = entries(log, 1).stream().map(LogEntry::chainHash).toList();
    log.close(true);

    log = openLog();
    assertThat(log.end()).isEqualTo(end);
    assertThat(log.committedIndex()).isEqualTo(5);
    assertThat(entries(log, 1)).extracting(LogEntry::chainHash).isEqualTo(chain);
    log.append(header(6, 1, true), new byte[3], 0, 3);
    log.endBatch();
    awaitCommit(log, 6);
    assertThat(entries(log, 1)).hasSize(6);
  }

  @Test
  void anEntryMayHaveOneMebibyteAndNoMore() {
    log = openLog();
    byte[] large = new byte[(1 << 20) + 1];
    Arrays.fill(large, (byte) 7);
    for (int i = 1; i <= 12; i++) {
      log.append(header(i, 1, true), large, 0, (1 << 20) - (i - 1));
      log.endBatch();
    }
    assertThat(entries(log, 1)).extracting(entry -> entry.payload().length).contains(1 << 20);
    assertThatThrownBy(() -> log.append(header(13, 1, true), large, 0, large.length))
        .isInstanceOf(LogFailureException.class);
  }

  @Test
  void differentThreadsMayAppendInTurn() throws Exception {
    log = openLog();
    ExecutorService one = Executors.newSingleThreadExecutor();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (int i = 1; i <= 200; i++) {
        long index = i;
        (i % 2 == 0 ? one : other)
            .submit(
                () -> {
                  log.append(header(index, 1 + index / 50, true), new byte[100], 0, 100);
                  log.endBatch();
                })
            .get();
      }
    } finally {
      one.shutdown();
      other.shutdown();
    }
    assertThat(entries(log, 1)).hasSize(200);
  }

  @Test
  void aClosedLogTakesNothing() {
    log = openLog();
    appendBatches(log, 1);
    log.close();
    assertThatThrownBy(() -> log.append(header(2, 1, true), new byte[0], 0, 0))
        .isInstanceOf(LogFailureException.class);
  }

  /** A header of the master's own with {@code index} and {@code epoch}. */
  protected static EntryHeader header(long index, long epoch, boolean batchEnd) {
    return new EntryHeader(index, epoch, index * 10, 0, 1001, Uuid.ZERO, batchEnd);
  }

  /** Appends {@code count} batches of one entry behind the end, in epoch 1. */
  protected static void appendBatches(OperationLog log, int count) {
    for (int i = 0; i < count; i++) {
      long index = log.end().index() + 1;
      byte[] payload = {(byte) index, (byte) (index >> 8), 1};
      log.append(header(index, 1, true), payload, 0, payload.length);
      log.endBatch();
    }
  }

  /** Entries from {@code fromIndex} to the end. */
  protected static List<LogEntry> entries(OperationLog log, long fromIndex) {
    List<LogEntry> read = new ArrayList<>();
    log.read(fromIndex, read::add);
    return read;
  }
}
