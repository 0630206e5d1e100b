package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening a log whose front a snapshot covers: what is read then, what later, what refuses. */
class CoveredSegmentsTest {
  private static final int ENTRIES = 400;

  /** Of which the library takes the first 64 KiB. */
  private static final int SEGMENT_BYTES = 86_000;

  @TempDir(factory = Logs.InMemory.class)
  private Path root;

  private ChronicleLog log;
  private Path left;

  /** What a killed process leaves: four segments of about 100 entries. */
  @BeforeEach
  void killedLog() {
    Path written = root.resolve("written");
    log = ChronicleLog.open(options(written)).log();
    Logs.append(log, ENTRIES, 100);
    left = Logs.copy(written, root.resolve("left"));
    log.close();
    assertThat(firstIndexes()).hasSizeGreaterThanOrEqualTo(4);
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  private static LogOptions options(Path directory) {
    return Logs.options(directory).withSegmentBytes(SEGMENT_BYTES);
  }

  private OpenedLog open(long coveredUpTo) {
    OpenedLog opened = ChronicleLog.open(options(left).withCoveredUpTo(coveredUpTo));
    log = opened.log();
    return opened;
  }

  private List<SegmentName> segments() {
    try {
      return new LogDirectory(left).listSegments();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Index of the first entry of each segment. */
  private List<Long> firstIndexes() {
    List<EntryPlace> places = Logs.places(left);
    return segments().stream()
        .map(
            name -> {
              long index = 1;
              while (!places.get((int) index - 1).file().equals(name.file())) {
                index++;
              }
              return index;
            })
        .toList();
  }

  private static Optional<LogDamage> check(ChronicleLog log) {
    return log.checkCovered(() -> true);
  }

  @Test
  void coveredSegmentsAreLeftOutAndTheRestIsAsEver() {
    OpenedLog whole = ChronicleLog.open(options(Logs.copy(left, root.resolve("whole"))));
    List<LogEntry> entries = Logs.entries(whole.log());
    long third = firstIndexes().get(2);

    OpenedLog opened = open(third + 10);

    assertThat(log.checkedFrom()).isEqualTo(third);
    assertThat(opened.report().end()).isEqualTo(whole.report().end());
    assertThat(opened.report().findings()).isEmpty();
    assertThat(Logs.entries(log)).usingRecursiveComparison().isEqualTo(entries);
    for (long index = 1; index <= ENTRIES; index++) {
      assertThat(log.positionAt(index)).isEqualTo(whole.log().positionAt(index));
    }
    assertThat(check(log)).isEmpty();
    Logs.append(log, 5, 100);
    assertThat(log.removeBefore(third)).hasSize(2);
    whole.log().removeBefore(third);
    assertThat(log.base()).isEqualTo(whole.log().base());
    whole.log().close();
  }

  /** The segment that the snapshot's last entry ends need not be read either. */
  @Test
  void aSnapshotAtTheEndOfASegmentCoversIt() {
    long third = firstIndexes().get(2);
    open(third - 1);
    assertThat(log.checkedFrom()).isEqualTo(third);
    log.close();

    open(third - 2);
    assertThat(log.checkedFrom()).isEqualTo(firstIndexes().get(1));
  }

  @Test
  void damageThatASnapshotCoversIsFoundByTheCheckAndByReaders() throws IOException {
    long second = firstIndexes().get(1);
    EntryPlace damaged = Logs.places(left).get((int) second + 19);
    Logs.xor(damaged.file(), damaged.offsetBytes() + 100, 0x10);

    open(firstIndexesOf(root.resolve("written")).get(2));

    LogDamage damage = check(log).orElseThrow();
    assertThat(damage.index()).isEqualTo(second + 20);
    assertThat(damage.file()).isEqualTo(damaged.file());
    assertThatThrownBy(() -> Logs.entries(log)).isInstanceOf(CorruptLogException.class);
    assertThatThrownBy(() -> Logs.records(log, second + 18))
        .isInstanceOf(CorruptLogException.class);
    log.close();
    assertThatThrownBy(() -> ChronicleLog.open(options(left)))
        .isInstanceOf(CorruptLogException.class);
  }

  private List<Long> firstIndexesOf(Path intact) {
    Path damaged = left;
    left = intact;
    List<Long> indexes = firstIndexes();
    left = damaged;
    return indexes;
  }

  @Test
  void damageWhereSegmentsMeetRefusesTheStart() throws IOException {
    List<Long> first = firstIndexes();
    List<EntryPlace> places = Logs.places(left);
    for (long index : new long[] {1, first.get(1) - 1, first.get(1), first.get(2) - 1}) {
      EntryPlace damaged = places.get((int) index - 1);
      Logs.xor(damaged.file(), damaged.offsetBytes() + 100, 1);
      assertThatThrownBy(() -> open(first.get(2) + 1)).isInstanceOf(CorruptLogException.class);
      Logs.xor(damaged.file(), damaged.offsetBytes() + 100, 1);
    }
    open(first.get(2) + 1);
    assertThat(log.checkedFrom()).isEqualTo(first.get(2));
  }

  @Test
  void damageBehindTheCoveredEntriesRefusesTheStart() throws IOException {
    List<Long> first = firstIndexes();
    EntryPlace damaged = Logs.places(left).get((int) (first.get(2) + 30));
    Logs.xor(damaged.file(), damaged.offsetBytes() + 100, 1);
    assertThatThrownBy(() -> open(first.get(2) + 1)).isInstanceOf(CorruptLogException.class);
  }

  @Test
  void aMissingSegmentRefusesTheStart() throws IOException {
    Files.delete(segments().get(1).file());
    assertThatThrownBy(() -> open(ENTRIES - 1)).isInstanceOf(CorruptLogException.class);
  }

  /** The log has lost its tail: who says where it ends now has read all of it. */
  @Test
  void aLogThatEndsBeforeTheSnapshotIsReadWhole() {
    OpenedLog opened = open(ENTRIES + 1);
    assertThat(opened.report().end().index()).isEqualTo(ENTRIES);
    assertThat(log.checkedFrom()).isEqualTo(1);
    assertThat(check(log)).isEmpty();
  }

  @Test
  void withoutASnapshotTheLogIsReadWhole() {
    open(0);
    assertThat(log.checkedFrom()).isEqualTo(1);
  }

  @Test
  void theCheckStopsWhenToldAndSkipsWhatWasRemoved() {
    List<Long> first = firstIndexes();
    open(first.get(3));
    int[] asked = new int[1];
    log.checkCovered(() -> asked[0]++ < 0);
    log.removeBefore(first.get(2));
    assertThat(check(log)).isEmpty();
  }
}
