package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.EntriesRemovedException;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records are read for shipping wherever they are, while the log grows, shrinks and is cut. */
class RecordSourceTest {
  @TempDir(factory = Logs.InMemory.class)
  private Path root;

  private ChronicleLog log;

  @AfterEach
  void closeLog() {
    log.close();
  }

  private ChronicleLog open(String name) {
    return ChronicleLog.open(Logs.options(root.resolve(name)).withSegmentBytes(2 << 20)).log();
  }

  /** Marks of a segment that was written in this run, and of one that the start scanned. */
  @Test
  void anyEntryIsFoundWhereverAReadBegins() {
    log = open("a");
    Random random = new Random(4711);
    appendMixed(log, 3000, random);
    List<LogEntry> entries = Logs.entries(log);
    checkReads(entries, random);
    log.close(true);
    log = open("a");
    checkReads(entries, random);
    appendMixed(log, 200, random);
    assertThat(Logs.records(log, 2999)).hasSize(202);
  }

  private void checkReads(List<LogEntry> entries, Random random) {
    for (int i = 0; i < 300; i++) {
      int from = random.nextInt(entries.size());
      List<Long> chain = new ArrayList<>();
      log.readRecords(
          from + 1,
          random.nextInt(20_000),
          (header, chainHash, record) -> {
            LogEntry expected = entries.get(from + chain.size());
            assertThat(header).isEqualTo(expected.header());
            chain.add(chainHash);
            return true;
          });
      assertThat(chain)
          .isNotEmpty()
          .isEqualTo(
              entries.subList(from, from + chain.size()).stream()
                  .map(LogEntry::chainHash)
                  .toList());
      LogEntry entry = entries.get(from);
      assertThat(log.positionAt(from + 1))
          .contains(new LogPosition(entry.header().epoch(), from + 1, entry.chainHash()));
    }
  }

  /** As many readers as keep their places, one more, and a writer; all read everything once. */
  @Test
  void readersFollowAWriter() throws Exception {
    log = open("a");
    int total = 6000;
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<List<String>>> read = new ArrayList<>();
      for (int i = 0; i <= RecordSource.MAX_CURSORS; i++) {
        int maxBytes = 1 + i * 3000;
        read.add(threads.submit(() -> follow(total, maxBytes, over)));
      }
      Random random = new Random(5);
      for (int i = 0; i < total / 10; i++) {
        appendMixed(log, 10, random);
      }
      List<String> expected = Logs.records(log, 1).stream().map(HexFormat.of()::formatHex).toList();
      for (Future<List<String>> one : read) {
        assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(expected);
      }
    } finally {
      over.set(true);
      threads.shutdown();
    }
  }

  private List<String> follow(int total, int maxBytes, AtomicBoolean over) {
    List<String> seen = new ArrayList<>();
    while (seen.size() < total && !over.get()) {
      log.readRecords(
          seen.size() + 1,
          maxBytes,
          (header, chain, record) -> seen.add(HexFormat.of().formatHex(record)));
    }
    return seen;
  }

  /** Either the records or an exception that says they are gone. */
  @Test
  void aReadWhileTheLogIsTrimmedGivesRecordsOrSaysThatTheyAreGone() throws Exception {
    log = open("a");
    appendMixed(log, 8000, new Random(6));
    List<Long> chains = Logs.entries(log).stream().map(LogEntry::chainHash).toList();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<Long>> readers = new ArrayList<>();
      Semaphore reads = new Semaphore(0);
      IntStream.range(0, 3)
          .forEach(
              seed -> readers.add(threads.submit(new Reader(new Random(seed), chains, reads))));
      for (long index = 1; index <= 8000; index += 300) {
        assertThat(log.base().index() >= 5000 || reads.tryAcquire(10, 60, TimeUnit.SECONDS))
            .isTrue();
        log.removeBefore(index);
      }
      for (Future<Long> reader : readers) {
        assertThat(reader.get(60, TimeUnit.SECONDS)).isPositive();
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Reads from random entries until the log begins far behind. */
  private final class Reader implements Callable<Long> {
    private final Random random;
    private final List<Long> chains;
    private final Semaphore reads;
    private long seen;

    Reader(Random random, List<Long> chains, Semaphore reads) {
      this.reads = reads;
      this.random = random;
      this.chains = chains;
    }

    @Override
    public Long call() {
      while (log.base().index() < 5000) {
        long from = 1 + random.nextInt(8000);
        long[] next = {from};
        try {
          log.readRecords(
              from,
              300_000,
              (header, chain, record) -> {
                assertThat(header.index()).isEqualTo(next[0]++);
                assertThat(chain).isEqualTo(chains.get((int) header.index() - 1));
                seen++;
                return true;
              });
        } catch (EntriesRemovedException gone) {
          assertThat(next[0]).isLessThanOrEqualTo(gone.base().index());
        }
        reads.release();
      }
      return seen;
    }
  }

  @Test
  void afterACutTheOldEntriesAreNotHandedOut() {
    log = open("a");
    Logs.append(log, 50, 100);
    assertThat(Logs.records(log, 31)).hasSize(20);
    LogPosition keep = log.positionAt(40).orElseThrow();
    log.truncateAfter(keep, false);
    Logs.appendEntry(log, 2, 33, true);
    log.endBatch();
    assertThat(Logs.records(log, 41))
        .singleElement()
        .satisfies(record -> assertThat(record).hasSize(EntryRecord.OVERHEAD_BYTES + 33));
    assertThat(Logs.records(log, 38)).hasSize(4);
  }

  /** COR-19: a reader must not get one branch's entries behind the other's. */
  @Test
  void aReadDuringWhichTheLogIsCutGivesNothingOfTheNewBranch() {
    log = open("a");
    Logs.append(log, 50, 100);
    LogPosition keep = log.positionAt(40).orElseThrow();
    List<Long> epochs = new ArrayList<>();
    log.readRecords(
        39,
        1 << 20,
        (header, chainHash, record) -> {
          epochs.add(header.epoch());
          if (header.index() == 41) {
            log.truncateAfter(keep, false);
            for (int i = 0; i < 10; i++) {
              Logs.appendEntry(log, 2, 33, true);
            }
            log.endBatch();
          }
          return true;
        });
    assertThat(epochs).containsExactly(1L, 1L, 1L);
    assertThat(Logs.records(log, 41)).hasSize(10);
  }

  @Test
  void aDamagedEntryIsSaidToBe() throws Exception {
    log = open("a");
    Logs.append(log, 50, 100);
    log.close(true);
    log = open("a"); // what was appended in this run is in memory
    EntryPlace place = Logs.places(root.resolve("a")).get(29);
    Logs.xor(place.file(), place.offsetBytes() + 100, 1);
    List<Long> read = new ArrayList<>();
    assertThatThrownBy(
            () -> log.readRecords(28, 1 << 20, (header, chain, r) -> read.add(header.index())))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("30");
    assertThat(read).containsExactly(28L, 29L);
  }

  private static void appendMixed(ChronicleLog log, int count, Random random) {
    for (int i = 0; i < count; i++) {
      int bytes = random.nextInt(100) == 0 ? random.nextInt(200_000) : random.nextInt(400);
      boolean batchEnd = i == count - 1 || random.nextInt(3) > 0;
      Logs.appendEntry(log, 1, bytes, batchEnd);
      if (batchEnd) {
        log.endBatch();
      }
    }
  }
}
