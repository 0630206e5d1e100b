package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the log is cut into files, and what happens when the disk is full. */
class SegmentsTest {
  @TempDir private Path root;
  private ChronicleLog log;

  @AfterEach
  void closeLog() {
    if (log != null) {
      log.close();
    }
  }

  @Test
  void cor22SegmentsEndBySizeAndOnlyBetweenBatches() {
    // The library's own index takes 64 KiB at the head of a file.
    log = ChronicleLog.open(Logs.options(root).withSegmentBytes(80_000)).log();
    for (int batch = 0; batch < 60; batch++) {
      for (int entry = 0; entry < 5; entry++) {
        Logs.appendEntry(log, 1, 1000, entry == 4);
      }
      log.endBatch();
    }
    var byFile = Logs.places(root).stream().collect(Collectors.groupingBy(EntryPlace::file));
    assertThat(byFile).hasSizeGreaterThan(10);
    assertThat(byFile.values()).allMatch(places -> places.size() % 5 == 0);
    assertThat(log.counters().segments()).isEqualTo(byFile.size());
    assertThat(Logs.entries(log)).hasSize(300);
  }

  @Test
  void cor22EveryTermHasItsOwnSegment() {
    log = ChronicleLog.open(Logs.options(root)).log();
    for (int epoch = 1; epoch <= 4; epoch++) {
      Logs.appendEntry(log, epoch, 10, true);
      Logs.appendEntry(log, epoch, 10, true);
      log.endBatch();
    }
    log.startTerm(9);
    Logs.appendEntry(log, 9, 10, true);
    log.endBatch();
    var files = Logs.places(root).stream().map(EntryPlace::file).toList();
    assertThat(files.stream().distinct()).hasSize(5);
    for (int i = 0; i < 8; i += 2) {
      assertThat(files.get(i)).isEqualTo(files.get(i + 1));
    }
  }

  @Test
  void cor18AStartedTermRefusesLowerEpochs() {
    log = ChronicleLog.open(Logs.options(root)).log();
    Logs.append(log, 1, 10);
    log.startTerm(5);
    assertThatThrownBy(() -> Logs.append(log, 1, 10)).isInstanceOf(LogFailureException.class);
  }

  @Test
  void everyStartBeginsAFileOfItsOwn() throws IOException {
    for (int life = 0; life < 3; life++) {
      ChronicleLog one = ChronicleLog.open(Logs.options(root)).log();
      Logs.append(one, 2, 10);
      one.close(life % 2 == 0);
    }
    assertThat(new LogDirectory(root).listSegments()).hasSize(3);
    assertThat(LogReader.open(root).verify().end().index()).isEqualTo(6);
  }

  @Test
  void readingSkipsWholeSegmentsAndFindsEveryIndex() {
    log = ChronicleLog.open(Logs.options(root).withSegmentBytes(70_000)).log();
    Logs.append(log, 100, 700);
    for (long from = 1; from <= 101; from += 7) {
      List<LogEntry> read = new ArrayList<>();
      log.read(from, read::add);
      assertThat(read).hasSize((int) (101 - from));
      assertThat(read.isEmpty() ? from : read.get(0).header().index()).isEqualTo(from);
    }
  }

  /** COR-03: below the reserve nothing is written, and the term goes on. */
  @Test
  void cor03BelowTheReserveBatchesAreRefusedBeforeAnythingIsWritten() {
    AtomicLong usable = new AtomicLong(1 << 30);
    LogOptions options = Logs.options(root).withReserveBytes(1000);
    log = ChronicleLog.open(options, usable::get).log();
    Logs.append(log, 5, 200);
    assertThat(log.hasSpace()).isTrue();
    usable.set(600);
    Logs.append(log, 1, 200); // makes the figure stale
    assertThat(log.hasSpace()).isFalse();
    Logs.append(log, 1, 200); // decided after a yes: the other half of the reserve is for it
    usable.set(400);
    assertThatThrownBy(() -> Logs.append(log, 1, 200)).isInstanceOf(LogFullException.class);
    assertThat(log.counters().refusedForSpace()).isEqualTo(1);
    long end = log.end().index();
    usable.set(1 << 30);
    awaitSpace();
    Logs.append(log, 1, 200);
    assertThat(log.end().index()).isEqualTo(end + 1);
    assertThat(Logs.entries(log)).hasSize((int) end + 1);
  }

  /** COR-03: once a batch was begun it is not refused for the reserve. */
  @Test
  void cor03ABegunBatchMayUseTheReserve() {
    AtomicLong usable = new AtomicLong(1 << 30);
    log = ChronicleLog.open(Logs.options(root).withReserveBytes(1000), usable::get).log();
    Logs.appendEntry(log, 1, 100, false);
    usable.set(0);
    for (int i = 0; i < 20; i++) {
      Logs.appendEntry(log, 1, 1000, i == 19);
    }
    log.endBatch();
    assertThat(log.committedIndex()).isEqualTo(21);
  }

  /** COR-03: a full disk is an error of a call before the entry, not a signal inside it. */
  @Test
  void cor03BlocksAreAllocatedBeforeTheyAreMapped() throws IOException {
    Path alwaysFull = Path.of("/dev/full");
    assertThat(alwaysFull).isWritable();
    try (SpaceGuard guard = new SpaceGuard(0, () -> 0)) {
      guard.begin(alwaysFull, 0);
      assertThatThrownBy(() -> guard.back(0, 100)).isInstanceOf(IOException.class);
      assertThat(guard.exhausted()).isTrue();
    }
    Path file = Files.createFile(root.resolve("blocks"));
    Files.write(file, new byte[] {0, 0, 7, 0});
    try (SpaceGuard guard = new SpaceGuard(0, () -> 1 << 30)) {
      guard.begin(file, 1);
      guard.back(1, 100);
    }
    assertThat(Files.size(file)).isGreaterThan(100 + (128 << 10)); // the entry and two index pages
    assertThat(Files.readAllBytes(file)[2]).isEqualTo((byte) 7);
    try (SpaceGuard guard = new SpaceGuard(0, () -> 1 << 30)) {
      guard.begin(file, 1);
      assertThat(guard.setAside(1)).isTrue();
    }
    assertThat(Files.size(file)).isGreaterThan(SpaceGuard.ROOM_BYTES + (128 << 10));
  }

  private void awaitSpace() {
    while (!log.hasSpace()) {
      Thread.onSpinWait(); // the figure is believed for 50 ms
    }
  }
}
