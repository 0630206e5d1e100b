package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments that snapshots stand for go, and a log may begin anywhere (COR-22, COR-26). */
class LogTrimTest {
  private static final int ENTRIES = 200;

  @TempDir private Path root;
  private ChronicleLog log;

  @BeforeEach
  void makeLogOfManySegments() {
    log = open().log();
    Logs.append(log, ENTRIES, 700);
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  private OpenedLog open() {
    return ChronicleLog.open(Logs.options(root).withSegmentBytes(70_000));
  }

  private OpenedLog reopen(boolean clean) {
    log.close(clean);
    OpenedLog opened = open();
    log = opened.log();
    return opened;
  }

  private List<Long> indexesFrom(long from) {
    List<Long> read = new ArrayList<>();
    log.read(from, entry -> read.add(entry.header().index()));
    return read;
  }

  @Test
  void onlyWholeSegmentsBelowTheIndexGo() {
    List<LogEntry> all = Logs.entries(log);
    long files = log.counters().segments();
    assertThat(files).isGreaterThan(5);
    assertThat(log.removeBefore(1)).isEmpty();
    List<Path> removed = log.removeBefore(100);
    assertThat(removed).isNotEmpty().allMatch(Files::notExists);
    long base = log.base().index();
    assertThat(base).isBetween(60L, 99L);
    assertThat(log.positionAt(base)).contains(log.base());
    assertThat(indexesFrom(base + 1)).hasSize((int) (ENTRIES - base)).contains(100L, 200L);
    assertThat(log.removeBefore(100)).isEmpty();

    OpenedLog again = reopen(false);
    assertThat(again.report().end().index()).isEqualTo(ENTRIES);
    assertThat(again.entriesMayBeMissing()).isFalse();
    assertThat(again.report().findings()).isEmpty();
    assertThat(log.base().index()).isEqualTo(base);
    for (LogEntry entry : all) {
      long index = entry.header().index();
      if (index > base) {
        assertThat(log.positionAt(index).orElseThrow().chainHash()).isEqualTo(entry.chainHash());
      }
    }
    assertThat(log.positionAt(base - 1)).isEmpty();
    Logs.append(log, 5, 10);
    assertThat(LogReader.open(root).base().index()).isEqualTo(base);
    LogReader.Outcome outcome = LogReader.open(root).verify();
    assertThat(outcome.damage()).isEmpty();
    assertThat(outcome.end()).isEqualTo(log.end());
  }

  @Test
  void theNewestSegmentStaysAndAnEmptyLogKeepsItsEnd() throws IOException {
    log.removeBefore(Long.MAX_VALUE);
    assertThat(new LogDirectory(root).listSegments()).hasSize(1);
    LogPosition end = log.end();
    log.close(true);
    Path last = new LogDirectory(root).listSegments().get(0).file();
    LogPosition base = new LogDirectory(root).readBase().position();
    Files.delete(last);
    OpenedLog opened = open();
    log = opened.log();
    assertThat(log.end()).isEqualTo(base);
    assertThat(end.index()).isGreaterThan(base.index());
    assertThat(opened.entriesMayBeMissing()).as("the mark names a later end").isTrue();
    Logs.append(log, 3, 10);
    assertThat(indexesFrom(1)).hasSize(3).startsWith(base.index() + 1);
  }

  @Test
  void whatAnInterruptedRemovalLeftIsRemovedAtTheNextStart() throws IOException {
    Path first = new LogDirectory(root).listSegments().get(0).file();
    byte[] content = Files.readAllBytes(first);
    log.removeBefore(150);
    log.close(true);
    Files.write(first, content);
    assertThat(LogReader.open(root).verify().damage()).isEmpty();
    OpenedLog opened = open();
    log = opened.log();
    assertThat(first).doesNotExist();
    assertThat(opened.report().findings()).singleElement().asString().contains("left over");
    assertThat(opened.report().end().index()).isEqualTo(ENTRIES);
  }

  @Test
  void aMissingFirstSegmentIsNotTakenForATrimmedLog() throws IOException {
    log.removeBefore(100);
    log.close(true);
    Files.delete(new LogDirectory(root).listSegments().get(0).file());
    assertThatThrownBy(this::open).isInstanceOf(CorruptLogException.class);
  }

  @Test
  void aBaseThatDoesNotFitTheFirstEntryIsRefused() throws IOException {
    log.removeBefore(100);
    log.close(false);
    LogDirectory directory = new LogDirectory(root);
    LogBase base = directory.readBase();
    LogPosition at = base.position();
    LogPosition other = new LogPosition(at.epoch(), at.index(), at.chainHash() + 1);
    directory.writeBase(new LogBase(base.firstSegment(), other));
    assertThatThrownBy(this::open)
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("was altered");
    Logs.xor(directory.base(), 30, 1);
    assertThatThrownBy(this::open)
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("BASE");
  }

  @Test
  void appendingGoesOnWhileSegmentsAreRemoved() throws Exception {
    Thread trimmer =
        new Thread(
            () -> {
              for (long index = 1; index <= 1000; index++) {
                log.removeBefore(Math.min(index, log.end().index()));
              }
            });
    trimmer.start();
    Logs.append(log, 1000, 700);
    trimmer.join();
    log.removeBefore(log.end().index());
    OpenedLog opened = reopen(true);
    assertThat(opened.report().end().index()).isEqualTo(ENTRIES + 1000);
    assertThat(opened.report().cleanStop()).isTrue();
    assertThat(log.bytesFrom(1)).isPositive();
  }

  @Test
  void aRollOnRequestPutsTheNextBatchIntoAFileOfItsOwn() {
    long begun = log.counters().segments();
    log.rollSoon();
    long cut = log.end().index();
    Logs.append(log, 2, 10);
    assertThat(log.counters().segments()).isEqualTo(begun + 1);
    log.removeBefore(cut + 1);
    assertThat(log.base().index()).isEqualTo(cut);
  }

  @Test
  void cor26ALogThatLostItsTailGoesOnBehindASnapshot() throws IOException {
    OpenedLog before = reopen(false);
    LogPosition snapshot = new LogPosition(7, 5000, 0x1234);
    LogIdentity renewed = log.continueBehind(snapshot);
    assertThat(renewed.cluster()).isEqualTo(before.identity().cluster());
    assertThat(renewed.incarnation()).isNotEqualTo(before.identity().incarnation());
    assertThat(log.end()).isEqualTo(snapshot);
    assertThat(log.committedIndex()).isEqualTo(5000);
    assertThat(log.positionAt(5000)).contains(snapshot);
    Logs.appendEntry(log, 8, 10, true);
    log.endBatch();
    assertThat(log.committedIndex()).isEqualTo(5001);

    OpenedLog again = reopen(false);
    assertThat(again.report().end().index()).isEqualTo(5001);
    assertThat(again.identity()).isEqualTo(renewed);
    assertThat(again.entriesMayBeMissing()).isTrue();
    assertThat(indexesFrom(1)).containsExactly(5001L);
    assertThat(DivergentBranch.list(root))
        .singleElement()
        .satisfies(branch -> assertThat(branch.entries()).isEqualTo(ENTRIES));
    assertThatThrownBy(() -> log.continueBehind(snapshot))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void cor26ACrashBeforeTheFirstAppendLeavesTheLogBehindTheSnapshot() {
    log.close(false);
    log = open().log();
    LogPosition snapshot = new LogPosition(7, 5000, 0x1234);
    log.continueBehind(snapshot);
    OpenedLog again = reopen(false);
    assertThat(again.report().end()).isEqualTo(snapshot);
    assertThat(log.base()).isEqualTo(snapshot);
  }
}
