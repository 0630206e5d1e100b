package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * COR-21: a process that ends between any two changes of files, in a truncation or a restart,
 * leaves a log that opens, without a hole and under the same name.
 */
class TruncationCrashTest {
  private static final int ENTRIES = 48;
  private static final long EPOCH = 4;

  @TempDir(factory = Logs.InMemory.class)
  private Path root;

  /** What a process that died at one step left. */
  private record Left(String step, Path directory) {}

  private List<LogEntry> written;
  private LogIdentity identity;

  /** The cut is inside a segment, with others behind it. */
  @Test
  void cor21ATruncationMayEndAnywhere() {
    LogPosition[] keep = new LogPosition[1];
    List<Left> all =
        crashes(
            log -> {
              keep[0] = log.positionAt(15).orElseThrow();
              assertThat(log.truncateAfter(keep[0], false).entriesCut()).isEqualTo(ENTRIES - 15);
            });
    assertThat(all).hasSizeGreaterThan(12);
    long lastEnd = ENTRIES;
    for (Left left : all) {
      try (ChronicleLog log = reopen(left)) {
        long end = log.end().index();
        assertThat(end).as(left.step()).isBetween(15L, lastEnd);
        lastEnd = end;
        assertPrefix(left, log);
        assertThat(log.acceptedEpoch()).as(left.step()).isEqualTo(EPOCH);
        if (end < ENTRIES) {
          assertEvidence(left, 16);
        }
        log.truncateAfter(keep[0], false);
        Logs.appendEntry(log, EPOCH + 1, 10, true);
        log.endBatch();
        assertThat(Logs.entries(log)).hasSize(16);
      }
      assertThat(LogReader.open(left.directory()).verify().damage()).isEmpty();
    }
    assertThat(lastEnd).isEqualTo(15);
  }

  /** The cut is where a segment ends: no file is written anew. */
  @Test
  void cor21ATruncationAtTheEndOfASegmentMayEndAnywhere() {
    List<Left> all =
        crashes(log -> log.truncateAfter(log.positionAt(firstOfSecond() - 1).get(), false));
    for (Left left : all) {
      assertThat(left.step()).doesNotContain("anew");
      try (ChronicleLog log = reopen(left)) {
        assertPrefix(left, log);
      }
    }
  }

  /** COR-26. */
  @Test
  void cor26ARestartMayEndAnywhere() {
    LogPosition snapshot = new LogPosition(EPOCH, 5000, 77);
    List<Left> all = crashes(log -> log.restartAt(snapshot));
    boolean begunAnew = false;
    for (Left left : all) {
      try (ChronicleLog log = reopen(left)) {
        boolean old = log.end().index() == ENTRIES;
        assertThat(old || log.end().equals(snapshot)).as(left.step()).isTrue();
        assertThat(old && begunAnew).as(left.step()).isFalse();
        begunAnew = !old;
        if (old) {
          assertPrefix(left, log);
        } else {
          assertEvidence(left, 1);
        }
        log.restartAt(snapshot);
        Logs.appendEntry(log, EPOCH, 10, true);
        log.endBatch();
        assertThat(Logs.entries(log)).hasSize(1);
      }
    }
    assertThat(begunAnew).isTrue();
  }

  private long firstOfSecond() {
    long[] second = new long[1];
    Path[] file = new Path[1];
    LogReader.open(root.resolve("live"))
        .read(
            1,
            (entry, place) -> {
              file[0] = file[0] == null ? place.file() : file[0];
              second[0] = entry.header().index();
              return place.file().equals(file[0]);
            });
    return second[0];
  }

  /** Makes a log of many segments, changes it, and copies it before each step. */
  private List<Left> crashes(Consumer<ChronicleLog> change) {
    List<Left> all = new ArrayList<>();
    boolean[] watching = new boolean[1];
    Path live = root.resolve("live");
    FileSteps steps =
        step -> {
          if (watching[0]) {
            Path copy = Logs.copy(live, root.resolve("step" + all.size()));
            all.add(new Left(all.size() + ": before " + step, copy));
          }
        };
    LogOptions options = options(live);
    OpenedLog opened =
        ChronicleLog.open(options, new ChronicleLog.Surroundings(() -> Long.MAX_VALUE, steps));
    try (ChronicleLog log = opened.log()) {
      identity = opened.identity();
      for (int i = 1; i <= ENTRIES; i++) {
        Logs.appendEntry(log, i > 36 ? EPOCH : 1, 700, i % 3 == 0);
        if (i % 3 == 0) {
          log.endBatch();
        }
      }
      written = Logs.entries(log);
      watching[0] = true;
      change.accept(log);
      all.add(new Left("after all", Logs.copy(live, root.resolve("done"))));
    }
    return all;
  }

  private ChronicleLog reopen(Left left) {
    OpenedLog opened = ChronicleLog.open(options(left.directory()));
    assertThat(opened.identity()).as(left.step()).isEqualTo(identity);
    assertThat(opened.entriesMayBeMissing()).as(left.step()).isFalse();
    assertThat(opened.report().entriesDropped()).as(left.step()).isZero();
    return opened.log();
  }

  private static LogOptions options(Path directory) {
    return Logs.options(directory).withSegmentBytes(75_000);
  }

  private void assertPrefix(Left left, ChronicleLog log) {
    assertThat(Logs.entries(log))
        .as(left.step())
        .usingRecursiveComparison()
        .isEqualTo(written.subList(0, (int) log.end().index()));
  }

  private void assertEvidence(Left left, long first) {
    List<LogEntry> kept = new ArrayList<>();
    DivergentBranch branch = DivergentBranch.list(left.directory()).get(0);
    LogReader.Outcome outcome = branch.read((entry, place) -> kept.add(entry));
    assertThat(outcome.damage()).as(left.step()).isEmpty();
    assertThat(branch.entries()).isEqualTo(ENTRIES - first + 1);
    assertThat(kept)
        .as(left.step())
        .usingRecursiveComparison()
        .isEqualTo(written.subList((int) first - 1, ENTRIES));
  }
}
