package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.RecoveryReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The last three entries of a log, cut or altered at every byte: whatever the damage did not
 * destroy stays, and the start says exactly what it dropped or why it refuses.
 */
class DamageMatrixTest {
  private static final int ENTRIES = 8;
  private static final int PAYLOAD_BYTES = 5;
  private static final long SEED = 20_261_130;

  @TempDir(factory = Logs.InMemory.class)
  private Path root;

  private Path sound;
  private List<LogEntry> written;
  private List<EntryPlace> places;
  private long end;

  @BeforeEach
  void writeLog() throws IOException {
    ChronicleLog log = ChronicleLog.open(Logs.options(root.resolve("origin"))).log();
    Logs.append(log, ENTRIES, PAYLOAD_BYTES);
    sound = Logs.copy(root.resolve("origin"), root.resolve("sound"));
    log.close();
    written = read(sound);
    places = Logs.places(sound);
    EntryPlace last = places.get(ENTRIES - 1);
    end = last.offsetBytes() + 4 + last.lengthBytes();
    // The tail of zeroes is not what is tested here, and short files are copied faster.
    Logs.cut(Logs.segment(sound), end + 64);
  }

  @Test
  void cutAtEveryByteOfTheLastThreeEntries() throws IOException {
    for (long at = places.get(ENTRIES - 3).offsetBytes(); at < end; at++) {
      Path damaged = Logs.copy(sound, root.resolve("cut"));
      Logs.cut(Logs.segment(damaged), at);

      RecoveryReport report = recover(damaged);
      int kept = 0;
      while (places.get(kept).offsetBytes() + 4 + places.get(kept).lengthBytes() <= at) {
        kept++;
      }
      long torn = Math.max(0, at - places.get(kept).offsetBytes());
      assertThat(report.end().index()).as("cut at %d", at).isEqualTo(kept);
      assertThat(report.entriesDropped()).as("cut at %d", at).isEqualTo(ENTRIES - kept);
      assertThat(report.bytesDropped()).as("cut at %d", at).isLessThanOrEqualTo(torn);
      assertThat(report.findings()).anyMatch(finding -> finding.contains("entry"));
      assertThat(read(damaged)).usingRecursiveComparison().isEqualTo(written.subList(0, kept));
      assertSound(damaged);
      Logs.delete(damaged);
    }
  }

  @Test
  void alteredAtEveryByteOfTheLastThreeEntries() throws IOException {
    Random random = new Random(SEED);
    System.out.println("DamageMatrixTest seed " + SEED);
    for (int entry = ENTRIES - 2; entry <= ENTRIES; entry++) {
      EntryPlace place = places.get(entry - 1);
      for (int at = 0; at < 4 + place.lengthBytes(); at++) {
        Path damaged = Logs.copy(sound, root.resolve("altered"));
        Path file = Logs.segment(damaged);
        Logs.xor(file, place.offsetBytes() + at, 1 + random.nextInt(255));
        if (at < 4) {
          headerWordCostsNothing(damaged, entry);
        } else if (entry == ENTRIES) {
          lastEntryIsDropped(damaged);
        } else {
          startIsRefused(damaged, entry);
        }
        Logs.delete(damaged);
      }
    }
  }

  @Test
  void oneBitInTheMiddleRefusesTheStart() throws IOException {
    Path damaged = Logs.copy(sound, root.resolve("middle"));
    EntryPlace place = places.get(3);
    Logs.xor(Logs.segment(damaged), place.offsetBytes() + 40, 1);
    startIsRefused(damaged, 4);
    LogDamage seen = LogReader.open(damaged).verify().damage().orElseThrow();
    assertThat(seen.kind()).isEqualTo(LogDamage.Kind.CORRUPT_MIDDLE);
  }

  /** An operator may give up what is behind the damage; nothing of it is deleted. */
  @Test
  void aConsentToCutKeepsTheRestAsEvidence() throws IOException {
    Path damaged = Logs.copy(sound, root.resolve("consent"));
    Logs.xor(Logs.segment(damaged), places.get(3).offsetBytes() + 40, 1);
    LogOptions wrong = Logs.options(damaged).withCutFromIndex(5);
    assertThat(catchThrowableOfType(CorruptLogException.class, () -> ChronicleLog.open(wrong)))
        .isNotNull();

    OpenedLog opened = ChronicleLog.open(Logs.options(damaged).withCutFromIndex(4));
    assertThat(opened.report().end().index()).isEqualTo(3);
    assertThat(opened.report().entriesDropped()).isEqualTo(ENTRIES - 3);
    assertThat(opened.entriesMayBeMissing()).isTrue();
    assertThat(Logs.entries(opened.log()))
        .usingRecursiveComparison()
        .isEqualTo(written.subList(0, 3));
    opened.log().close();
    assertThat(new LogDirectory(damaged).setAside().toFile().listFiles()).hasSize(1);
  }

  @Test
  void damageOfTheFilesOwnBookkeepingCostsNoEntry() throws IOException {
    long first = places.get(0).offsetBytes();
    for (long at = 0; at < first; at += at < 0x100 ? 3 : 1021) {
      Path damaged = Logs.copy(sound, root.resolve("bookkeeping"));
      Logs.xor(Logs.segment(damaged), at, 0xff);
      assertThat(recover(damaged).end().index()).as("altered at %d", at).isEqualTo(ENTRIES);
      assertThat(read(damaged)).usingRecursiveComparison().isEqualTo(written);
      Logs.delete(damaged);
    }
  }

  private void headerWordCostsNothing(Path damaged, int entry) throws IOException {
    RecoveryReport report = recover(damaged);
    assertThat(report.entriesDropped()).isZero();
    assertThat(report.findings()).anyMatch(finding -> finding.contains("entry " + entry));
    assertThat(read(damaged)).usingRecursiveComparison().isEqualTo(written);
    assertSound(damaged);
  }

  private void lastEntryIsDropped(Path damaged) throws IOException {
    RecoveryReport report = recover(damaged);
    EntryPlace last = places.get(ENTRIES - 1);
    assertThat(report.end().index()).isEqualTo(ENTRIES - 1);
    assertThat(report.entriesDropped()).isEqualTo(1);
    assertThat(report.bytesDropped()).isBetween(60L, 4L + last.lengthBytes());
    assertThat(report.findings())
        .anyMatch(finding -> finding.contains("offset " + last.offsetBytes()));
    assertThat(read(damaged)).usingRecursiveComparison().isEqualTo(written.subList(0, ENTRIES - 1));
    assertSound(damaged);
  }

  private void startIsRefused(Path damaged, int entry) throws IOException {
    Path file = Logs.segment(damaged);
    byte[] before = Files.readAllBytes(file);
    CorruptLogException refusal =
        catchThrowableOfType(CorruptLogException.class, () -> recover(damaged));
    assertThat(refusal).as("entry %d", entry).isNotNull();
    assertThat(refusal.damage().file()).isEqualTo(file);
    assertThat(refusal.damage().offsetBytes()).isEqualTo(places.get(entry - 1).offsetBytes());
    assertThat(refusal.damage().index()).isEqualTo(entry);
    assertThat(refusal).hasMessageContaining("--log_cut_from=" + entry);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  /** A second start finds nothing more to repair. */
  private static void assertSound(Path directory) throws IOException {
    assertThat(recover(directory).findings()).isEmpty();
  }

  private static RecoveryReport recover(Path directory) throws IOException {
    return new LogRecovery(new LogDirectory(directory), Logs.options(directory)).run().report();
  }

  private static List<LogEntry> read(Path directory) {
    List<LogEntry> entries = new ArrayList<>();
    LogReader.open(directory).read(1, (entry, place) -> entries.add(entry));
    return entries;
  }
}
