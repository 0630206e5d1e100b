package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A directory that a release before the commit index wrote ({@code log-v1.zip}: six entries in two
 * terms, stopped in order) is read, opened, goes on, and is shipped.
 */
class OldLogTest {
  private static final LogPosition END = new LogPosition(2, 6, 0x9c4df1f4e08bccd1L);

  @TempDir private Path root;
  private Path old;

  @BeforeEach
  void unpack() throws IOException {
    old = root.resolve("old");
    try (InputStream packed = OldLogTest.class.getResourceAsStream("/log-v1.zip");
        ZipInputStream zip = new ZipInputStream(packed)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = old.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, zip.readAllBytes());
      }
    }
  }

  @Test
  void itIsReadWithoutAChange() throws IOException {
    byte[] format = Files.readAllBytes(new LogDirectory(old).format());
    assertThat(LogReader.open(old).verify().end()).isEqualTo(END);
    assertThat(Files.readAllBytes(new LogDirectory(old).format())).isEqualTo(format);
  }

  @Test
  void itOpensAndGoesOnWithNewRecords() throws IOException {
    OpenedLog opened = ChronicleLog.open(Logs.options(old));
    assertThat(opened.report().cleanStop()).isTrue();
    assertThat(opened.report().findings()).isEmpty();
    assertThat(opened.identity().cluster()).hasToString("570ddb3d-dd79-4154-be8c-eb7395a823fb");
    ChronicleLog log = opened.log();
    assertThat(log.end()).isEqualTo(END);
    assertThat(log.acceptedEpoch()).isEqualTo(2);
    assertThat(log.knownCommit()).isZero();
    log.noteCommit(6);
    Logs.appendEntry(log, 3, 9, true);
    log.endBatch();
    List<LogEntry> entries = Logs.entries(log);
    assertThat(entries)
        .extracting(entry -> entry.header().commitIndex())
        .containsExactly(0L, 0L, 0L, 0L, 0L, 0L, 6L);
    assertThat(new String(entries.get(4).payload(), StandardCharsets.UTF_8)).isEqualTo("entry 5");
    assertThat(Logs.records(log, 1)).extracting(record -> record[3]).containsExactly(oldAndNew());
    log.close(true);
    assertThat(StateFile.title(new LogDirectory(old).format())).isEqualTo("tidemark-log 2");
    try (ChronicleLog again = ChronicleLog.open(Logs.options(old)).log()) {
      assertThat(again.end().index()).isEqualTo(7);
      assertThat(again.knownCommit()).isEqualTo(6);
    }
  }

  @Test
  void itsRecordsAreShippedAsTheyAre() {
    try (ChronicleLog from = ChronicleLog.open(Logs.options(old)).log();
        ChronicleLog to = ChronicleLog.open(Logs.options(root.resolve("to"))).log()) {
      for (byte[] record : Logs.records(from, 1)) {
        to.appendRecord(record, 0, record.length);
      }
      to.endBatch();
      assertThat(to.end()).isEqualTo(END);
      assertThat(Logs.records(to, 3).get(0)).isEqualTo(Logs.records(from, 3).get(0));
      to.truncateAfter(to.positionAt(3).orElseThrow(), false);
      assertThat(Logs.entries(to)).hasSize(3);
    }
  }

  /** A release that does not know records of version 2 must not take them for a torn tail. */
  @Test
  void aNewDirectorySaysThatItHasTheNewFormat() throws IOException {
    Path fresh = root.resolve("fresh");
    ChronicleLog.open(Logs.options(fresh)).log().close();
    assertThat(StateFile.title(new LogDirectory(fresh).format())).isEqualTo("tidemark-log 2");
  }

  /** COR-18: an epoch that can't be read is not taken for none. */
  @Test
  void cor18ADamagedEpochRefusesTheStart() throws IOException {
    try (ChronicleLog log = ChronicleLog.open(Logs.options(old)).log()) {
      log.acceptEpoch(9);
    }
    Path epoch = new LogDirectory(old).epoch();
    byte[] sound = Files.readAllBytes(epoch);
    for (int at = 0; at < sound.length; at++) {
      byte[] damaged = sound.clone();
      damaged[at] ^= 1;
      Files.write(epoch, damaged);
      assertThatThrownBy(() -> ChronicleLog.open(Logs.options(old)))
          .isInstanceOf(LogFormatException.class);
    }
    Files.write(epoch, sound);
    try (ChronicleLog log = ChronicleLog.open(Logs.options(old)).log()) {
      assertThat(log.acceptedEpoch()).isEqualTo(9);
    }
  }

  /** COR-20: a node without others knows by itself what is committed. */
  @Test
  void cor20ANodeAloneCarriesItsOwnCommits() {
    Path fresh = root.resolve("alone");
    try (ChronicleLog log = ChronicleLog.open(Logs.options(fresh).withAlone(true)).log()) {
      Logs.append(log, 3, 5);
      assertThat(log.knownCommit()).isEqualTo(3);
      assertThat(Logs.entries(log))
          .extracting(entry -> entry.header().commitIndex())
          .containsExactly(0L, 1L, 2L);
    }
  }

  private static Byte[] oldAndNew() {
    return new Byte[] {1, 1, 1, 1, 1, 1, 2};
  }
}
