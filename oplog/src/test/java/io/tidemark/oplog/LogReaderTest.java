package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The read-only view of tools. */
class LogReaderTest {
  @TempDir private Path root;

  @Test
  void entriesComeWithFileAndOffset() throws IOException {
    OpenedLog opened = ChronicleLog.open(Logs.options(root));
    Logs.append(opened.log(), 20, 33);
    List<LogEntry> written = Logs.entries(opened.log());
    opened.log().close(true);

    LogReader reader = LogReader.open(root);
    assertThat(reader.identity()).isEqualTo(opened.identity());
    assertThat(reader.cleanStop()).contains(opened.log().end());
    List<LogEntry> read = new ArrayList<>();
    LogReader.Outcome outcome =
        reader.read(
            5,
            (entry, place) -> {
              read.add(entry);
              assertThat(place.lengthBytes()).isEqualTo(EntryRecord.OVERHEAD_BYTES + 33);
              assertThat(recordIndexAt(place)).isEqualTo(entry.header().index());
              return entry.header().index() < 15;
            });
    assertThat(read).usingRecursiveComparison().isEqualTo(written.subList(4, 15));
    assertThat(outcome.damage()).isEmpty();
  }

  @Test
  void readingChangesNothing() throws IOException {
    ChronicleLog log = ChronicleLog.open(Logs.options(root).withSegmentBytes(70_000)).log();
    Logs.append(log, 100, 300);
    log.close();
    Map<String, String> before = state();
    assertThat(LogReader.open(root).verify().end().index()).isEqualTo(100);
    assertThat(state()).isEqualTo(before);
  }

  @Test
  void anUnfinishedBatchIsShownAndSaid() {
    ChronicleLog log = ChronicleLog.open(Logs.options(root)).log();
    Logs.append(log, 2, 10);
    Logs.appendEntry(log, 1, 10, false);
    LogReader.Outcome outcome = LogReader.open(root).verify();
    log.close();
    assertThat(outcome.end().index()).isEqualTo(3);
    assertThat(outcome.wholeEnd().index()).isEqualTo(2);
    assertThat(outcome.openBatch()).isPresent();
    assertThat(outcome.damage()).isEmpty();
  }

  @Test
  void aTornTailIsReportedWithItsPosition() throws IOException {
    ChronicleLog log = ChronicleLog.open(Logs.options(root)).log();
    Logs.append(log, 10, 10);
    log.close();
    EntryPlace last = Logs.places(root).get(9);
    Logs.xor(last.file(), last.offsetBytes() + 50, 1);
    LogReader.Outcome outcome = LogReader.open(root).verify();
    LogDamage damage = outcome.damage().orElseThrow();
    assertThat(damage.kind()).isEqualTo(LogDamage.Kind.TORN_TAIL);
    assertThat(damage.file()).isEqualTo(last.file());
    assertThat(damage.offsetBytes()).isEqualTo(last.offsetBytes());
    assertThat(damage.index()).isEqualTo(10);
    assertThat(outcome.end().index()).isEqualTo(9);
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void aRunningMasterIsReadWithoutFalseAlarm() throws Exception {
    ChronicleLog log = ChronicleLog.open(Logs.options(root).withSegmentBytes(500_000)).log();
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<?> writing = writer.submit(() -> Logs.append(log, 60_000, 200));
      long last = 0;
      int reads = 0;
      while (!writing.isDone() || reads < 3) {
        LogReader.Outcome outcome = LogReader.open(root).verify();
        assertThat(outcome.damage()).isEmpty();
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.end().index()).isGreaterThanOrEqualTo(last);
        last = outcome.end().index();
        reads++;
      }
      writing.get();
      assertThat(LogReader.open(root).verify().end()).isEqualTo(log.end());
    } finally {
      writer.shutdown();
      log.close();
    }
  }

  @Test
  void aDirectoryWithoutALogIsRefused() {
    assertThatThrownBy(() -> LogReader.open(root))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("holds no log");
    assertThatThrownBy(() -> LogReader.open(root.resolve("none")))
        .isInstanceOf(LogFormatException.class);
  }

  private static long recordIndexAt(EntryPlace place) {
    try {
      byte[] record = Logs.bytes(place.file(), place.offsetBytes() + 4, place.lengthBytes());
      return EntryRecord.index(record, 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, String> state() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        found.put(file.toString(), Files.getLastModifiedTime(file) + " " + Files.size(file));
      }
    }
    return found;
  }
}
