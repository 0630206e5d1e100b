package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.RecoveryReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start makes of a log that was not closed, or that the disk did not keep whole. */
class RecoveryTest {
  private static final int PAGE_BYTES = 4096;

  @TempDir private Path root;
  private ChronicleLog log;

  @AfterEach
  void closeLog() {
    if (log != null) {
      log.close();
    }
  }

  @Test
  void anAbandonedLogIsReadToItsTrueEnd() {
    log = open("a");
    Logs.append(log, 500, 100);
    Path left = Logs.copy(root.resolve("a"), root.resolve("b"));
    List<LogEntry> written = Logs.entries(log);
    log.close();

    OpenedLog opened = ChronicleLog.open(Logs.options(left));
    log = opened.log();
    assertThat(opened.report().end().index()).isEqualTo(500);
    assertThat(opened.report().entriesDropped()).isZero();
    assertThat(opened.report().findings()).isEmpty();
    assertThat(opened.report().cleanStop()).isFalse();
    assertThat(opened.entriesMayBeMissing()).isFalse();
    assertThat(Logs.entries(log)).usingRecursiveComparison().isEqualTo(written);
  }

  /** COR-03: an unfinished batch is cut, kept as evidence, and costs no incarnation. */
  @Test
  void cor03AnUnfinishedBatchIsCutAndSetAside() {
    log = open("a");
    Logs.append(log, 3, 10);
    Logs.appendEntry(log, 1, 10, false);
    Logs.appendEntry(log, 1, 10, false);
    Path left = Logs.copy(root.resolve("a"), root.resolve("b"));
    LogIdentity before = LogReader.open(left).identity();
    log.close();

    OpenedLog opened = ChronicleLog.open(Logs.options(left));
    log = opened.log();
    assertThat(opened.report().end().index()).isEqualTo(3);
    assertThat(opened.report().entriesDropped()).isEqualTo(2);
    assertThat(opened.report().bytesDropped()).isPositive();
    assertThat(opened.identity()).isEqualTo(before);
    assertThat(new LogDirectory(left).setAside().toFile().listFiles()).hasSize(1);
  }

  /** COR-16: the page of the last entries was lost; what was lost is counted. */
  @Test
  void cor16AZeroedTailIsCutAndTheIncarnationChanges() throws IOException {
    Path left = abandoned(400);
    List<EntryPlace> places = Logs.places(left);
    long page = places.get(390).offsetBytes() / PAGE_BYTES * PAGE_BYTES;
    zero(Logs.segment(left), page, 40 * PAGE_BYTES);
    int kept = firstTouched(places, page);
    LogIdentity before = LogReader.open(left).identity();

    OpenedLog opened = ChronicleLog.open(Logs.options(left));
    log = opened.log();
    assertThat(opened.report().end().index()).isEqualTo(kept);
    assertThat(opened.report().entriesDropped()).isEqualTo(400 - kept);
    assertThat(opened.entriesMayBeMissing()).isTrue();
    assertThat(opened.identity().incarnation()).isNotEqualTo(before.incarnation());
    assertThat(opened.identity().node()).isEqualTo(before.node());
    Logs.append(log, 5, 100);
    assertThat(Logs.entries(log)).hasSize(kept + 5);
  }

  /** A page was lost, but entries behind it reached the disk: they must not vanish silently. */
  @Test
  void aZeroedPageWithALaterAppendRefusesTheStart() throws IOException {
    Path left = abandoned(400);
    List<EntryPlace> places = Logs.places(left);
    long page = places.get(300).offsetBytes() / PAGE_BYTES * PAGE_BYTES;
    Path file = Logs.segment(left);
    zero(file, page, PAGE_BYTES);
    int kept = firstTouched(places, page);
    byte[] before = Files.readAllBytes(file);

    CorruptLogException refusal =
        catchThrowableOfType(
            CorruptLogException.class, () -> ChronicleLog.open(Logs.options(left)));
    assertThat(refusal.damage().index()).isEqualTo(kept + 1);
    assertThat(refusal.damage().offsetBytes()).isEqualTo(places.get(kept).offsetBytes());
    assertThat(refusal.damage().file()).isEqualTo(file);
    assertThat(refusal).hasMessageContaining("are unreadable, but entry");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);

    OpenedLog opened = ChronicleLog.open(Logs.options(left).withCutFromIndex(kept + 1));
    log = opened.log();
    assertThat(opened.report().end().index()).isEqualTo(kept);
    assertThat(opened.report().entriesDropped()).isEqualTo(400 - kept);
  }

  /** The case that made the library write behind a hole: our start begins a file of its own. */
  @Test
  void afterAZeroedTailEveryNewEntryIsReadable() throws IOException {
    Path left = abandoned(50);
    EntryPlace last = Logs.places(left).get(49);
    zero(last.file(), last.offsetBytes(), PAGE_BYTES);
    log = ChronicleLog.open(Logs.options(left)).log();
    Logs.append(log, 20, 30);
    Path again = Logs.copy(left, root.resolve("again"));
    LogReader.Outcome outcome = LogReader.open(again).verify();
    assertThat(outcome.damage()).isEmpty();
    assertThat(outcome.end().index()).isEqualTo(69);
  }

  @Test
  void garbageBehindTheLastEntryIsCut() throws IOException {
    Path left = abandoned(50);
    EntryPlace last = Logs.places(left).get(49);
    byte[] garbage = new byte[777];
    Arrays.fill(garbage, (byte) 0x5a);
    long behind = last.offsetBytes() + 4 + last.lengthBytes();
    Logs.write(last.file(), (behind + 3) & ~3L, garbage);
    OpenedLog opened = ChronicleLog.open(Logs.options(left));
    log = opened.log();
    assertThat(opened.report().end().index()).isEqualTo(50);
    assertThat(opened.report().bytesDropped()).isEqualTo(777);
  }

  @Test
  void damageInAnEarlierSegmentRefusesTheStart() throws IOException {
    log = ChronicleLog.open(Logs.options(root.resolve("a")).withSegmentBytes(1)).log();
    Logs.append(log, 4, 50);
    Path left = Logs.copy(root.resolve("a"), root.resolve("b"));
    log.close();
    EntryPlace second = Logs.places(left).get(1);
    Logs.xor(second.file(), second.offsetBytes() + 30, 4);
    CorruptLogException refusal =
        catchThrowableOfType(
            CorruptLogException.class, () -> ChronicleLog.open(Logs.options(left)));
    assertThat(refusal.damage().file()).isEqualTo(second.file());
    assertThat(refusal.damage().index()).isEqualTo(2);

    OpenedLog opened = ChronicleLog.open(Logs.options(left).withCutFromIndex(2));
    log = opened.log();
    assertThat(opened.report().end().index()).isEqualTo(1);
    assertThat(opened.report().entriesDropped()).isEqualTo(3);
    assertThat(new LogDirectory(left).setAside().toFile().listFiles()).hasSize(3);
  }

  @Test
  void aMissingSegmentRefusesTheStart() throws IOException {
    log = ChronicleLog.open(Logs.options(root.resolve("a")).withSegmentBytes(1)).log();
    Logs.append(log, 3, 50);
    Path left = Logs.copy(root.resolve("a"), root.resolve("b"));
    log.close();
    Files.delete(new LogDirectory(left).listSegments().get(1).file());
    CorruptLogException refusal =
        catchThrowableOfType(
            CorruptLogException.class, () -> ChronicleLog.open(Logs.options(left)));
    assertThat(refusal.damage().index()).isEqualTo(2);
  }

  @Test
  void aSegmentThatWasNeverBegunIsRemoved() throws IOException {
    Path left = abandoned(10);
    LogDirectory directory = new LogDirectory(left);
    Files.write(SegmentName.of(2, directory.segments()).file(), new byte[PAGE_BYTES]);
    Files.write(SegmentName.of(3, directory.segments()).file(), new byte[0]);
    OpenedLog opened = ChronicleLog.open(Logs.options(left));
    log = opened.log();
    assertThat(opened.report().end().index()).isEqualTo(10);
    assertThat(opened.report().entriesDropped()).isZero();
    assertThat(directory.listSegments()).extracting(SegmentName::number).containsExactly(1);
  }

  /** COR-19: other content at one position is seen, even with a checksum that fits. */
  @Test
  void cor19TheChainDetectsASwappedPayload() throws IOException {
    Path left = abandoned(10);
    EntryPlace fourth = Logs.places(left).get(3);
    swapPayload(fourth);
    CorruptLogException refusal =
        catchThrowableOfType(
            CorruptLogException.class, () -> ChronicleLog.open(Logs.options(left)));
    assertThat(refusal).hasMessageContaining("predecessor");
    assertThat(refusal.damage().index()).isEqualTo(5);
  }

  /** COR-19: the last entry has no successor, but the clean-stop mark knows its hash. */
  @Test
  void cor19TheCleanStopMarkDetectsASwappedLastPayload() throws IOException {
    log = open("a");
    Logs.append(log, 10, 100);
    log.close(true);
    Path left = root.resolve("a");
    swapPayload(Logs.places(left).get(9));
    CorruptLogException refusal =
        catchThrowableOfType(
            CorruptLogException.class, () -> ChronicleLog.open(Logs.options(left)));
    assertThat(refusal).hasMessageContaining("when the log was stopped");
    assertThat(refusal.damage().index()).isEqualTo(10);
  }

  /** COR-21: a repair that was interrupted is found and done again. */
  @Test
  void cor21AnInterruptedRepairIsDoneAgain() throws IOException {
    Path left = abandoned(20);
    EntryPlace last = Logs.places(left).get(19);
    Logs.xor(last.file(), last.offsetBytes() + 30, 1);
    LogDirectory directory = new LogDirectory(left);
    Files.createDirectories(directory.repair());
    Files.writeString(directory.repair().resolve("19700102F.cq4"), "half", StandardCharsets.UTF_8);
    RecoveryReport report = ChronicleLogs.openAndClose(left);
    assertThat(report.end().index()).isEqualTo(19);
    assertThat(Files.exists(directory.repair())).isFalse();
    assertThat(ChronicleLogs.openAndClose(left).findings()).isEmpty();
  }

  private ChronicleLog open(String name) {
    return ChronicleLog.open(Logs.options(root.resolve(name))).log();
  }

  /** A log of {@code count} entries of 100 bytes in one segment, as a dead process leaves it. */
  private Path abandoned(int count) {
    ChronicleLog writer = open("writer");
    Logs.append(writer, count, 100);
    Path left = Logs.copy(root.resolve("writer"), root.resolve("left"));
    writer.close();
    return left;
  }

  /** How many entries end before {@code offset}. */
  private static int firstTouched(List<EntryPlace> places, long offset) {
    int kept = 0;
    while (places.get(kept).offsetBytes() + 4 + places.get(kept).lengthBytes() <= offset) {
      kept++;
    }
    return kept;
  }

  private static void zero(Path file, long from, int count) throws IOException {
    Logs.write(file, from, new byte[count]);
  }

  private static void swapPayload(EntryPlace place) throws IOException {
    byte[] record = Logs.bytes(place.file(), place.offsetBytes() + 4, place.lengthBytes());
    record[EntryRecord.HEADER_BYTES] ^= 1;
    int checked = record.length - EntryRecord.CHECKSUM_BYTES;
    EntryRecord.INT.set(record, checked, EntryRecord.checksum(record, 0, checked, new CRC32C()));
    Logs.write(place.file(), place.offsetBytes() + 4, record);
  }

  private static final class ChronicleLogs {
    static RecoveryReport openAndClose(Path directory) {
      OpenedLog opened = ChronicleLog.open(Logs.options(directory));
      opened.log().close();
      return opened.report();
    }
  }
}
