package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who a log directory says it is, and when that changes (COR-13, COR-16, COR-17). */
class IdentityTest {
  @TempDir private Path root;
  private int lives;

  private Path directory() {
    return root.resolve("life" + lives);
  }

  private OpenedLog open(Persist persist, String boot) {
    return ChronicleLog.open(Logs.options(directory()).withPersist(persist).withBootId(() -> boot));
  }

  /** Writes something and dies. */
  private LogIdentity liveAndDie(Persist persist, String boot) {
    OpenedLog opened = open(persist, boot);
    Logs.append(opened.log(), 3, 20);
    Path left = directory();
    lives++;
    Logs.copy(left, directory());
    opened.log().close();
    return opened.identity();
  }

  @Test
  void aNewDirectoryGetsNewIds() {
    OpenedLog opened = open(Persist.PAGE, "boot-1");
    opened.log().close();
    assertThat(opened.report().newDirectory()).isTrue();
    assertThat(opened.entriesMayBeMissing()).isFalse();
    LogIdentity identity = opened.identity();
    assertThat(identity.node()).isNotEqualTo(identity.cluster());
    assertThat(identity.incarnation()).isNotEqualTo(identity.node());
    lives++;
    OpenedLog other = open(Persist.PAGE, "boot-1");
    other.log().close();
    assertThat(other.identity().cluster()).isNotEqualTo(identity.cluster());
  }

  @Test
  void cor16ADeadProcessKeepsItsIncarnation() {
    LogIdentity before = liveAndDie(Persist.PAGE, "boot-1");
    OpenedLog again = open(Persist.PAGE, "boot-1");
    again.log().close();
    assertThat(again.identity()).isEqualTo(before);
    assertThat(again.report().hostRebooted()).isFalse();
    assertThat(again.entriesMayBeMissing()).isFalse();
  }

  @Test
  void cor16ARebootUnderPersistPageChangesTheIncarnation() {
    LogIdentity before = liveAndDie(Persist.PAGE, "boot-1");
    OpenedLog again = open(Persist.PAGE, "boot-2");
    again.log().close();
    assertThat(again.identity().incarnation()).isNotEqualTo(before.incarnation());
    assertThat(again.identity().node()).isEqualTo(before.node());
    assertThat(again.identity().cluster()).isEqualTo(before.cluster());
    assertThat(again.report().hostRebooted()).isTrue();
    assertThat(again.entriesMayBeMissing()).isTrue();
  }

  /** COR-13: the loss is said until somebody has drawn the consequences. */
  @Test
  void cor13APossibleLossIsSaidUntilItWasHandled() {
    liveAndDie(Persist.PAGE, "boot-1");
    LogIdentity renewed = liveAndDie(Persist.PAGE, "boot-2");
    OpenedLog second = open(Persist.PAGE, "boot-2");
    assertThat(second.entriesMayBeMissing()).isTrue();
    assertThat(second.identity()).isEqualTo(renewed);
    second.log().lossHandled();
    second.log().close();
    OpenedLog third = open(Persist.PAGE, "boot-2");
    third.log().close();
    assertThat(third.entriesMayBeMissing()).isFalse();
  }

  @Test
  void cor16ACleanStopBeforeARebootKeepsTheIncarnation() {
    OpenedLog opened = open(Persist.PAGE, "boot-1");
    Logs.append(opened.log(), 3, 20);
    opened.log().close(true);
    OpenedLog again = open(Persist.PAGE, "boot-2");
    again.log().close();
    assertThat(again.identity()).isEqualTo(opened.identity());
    assertThat(again.report().cleanStop()).isTrue();
    assertThat(again.entriesMayBeMissing()).isFalse();
  }

  @Test
  void cor16TheMarkIsGoneBeforeTheFirstAppend() {
    OpenedLog opened = open(Persist.PAGE, "boot-1");
    Logs.append(opened.log(), 3, 20);
    opened.log().close(true);
    LogDirectory files = new LogDirectory(directory());
    assertThat(Files.exists(files.cleanStop())).isTrue();
    OpenedLog again = open(Persist.PAGE, "boot-1");
    assertThat(Files.exists(files.cleanStop())).isTrue();
    Logs.append(again.log(), 1, 20);
    assertThat(Files.exists(files.cleanStop())).isFalse();
    again.log().close(false);
    assertThat(Files.exists(files.cleanStop())).isFalse();
  }

  @Test
  void cor16ARebootUnderPersistDiskKeepsTheIncarnation() {
    LogIdentity before = liveAndDie(Persist.DISK, "boot-1");
    OpenedLog again = open(Persist.DISK, "boot-2");
    again.log().close();
    assertThat(again.identity()).isEqualTo(before);
    assertThat(again.entriesMayBeMissing()).isFalse();
  }

  /** What counts is how the entries were written, not how they are read now. */
  @Test
  void cor16ARebootCountsByTheModeOfTheLastRun() {
    LogIdentity before = liveAndDie(Persist.PAGE, "boot-1");
    OpenedLog again = open(Persist.DISK, "boot-2");
    again.log().close();
    assertThat(again.identity().incarnation()).isNotEqualTo(before.incarnation());
  }

  @Test
  void cor16ALogShorterThanItsMarkChangesTheIncarnation() throws IOException {
    OpenedLog opened = ChronicleLog.open(Logs.options(directory()).withSegmentBytes(1));
    Logs.append(opened.log(), 3, 20);
    opened.log().close(true);
    Files.delete(new LogDirectory(directory()).listSegments().get(2).file());
    OpenedLog again = open(Persist.PAGE, "boot-1");
    again.log().close();
    assertThat(again.report().end().index()).isEqualTo(2);
    assertThat(again.report().cleanStop()).isFalse();
    assertThat(again.entriesMayBeMissing()).isTrue();
    assertThat(again.identity().incarnation()).isNotEqualTo(opened.identity().incarnation());
  }

  @Test
  void anUnfinishedBatchAtTheEndLeavesNoMark() {
    OpenedLog opened = open(Persist.PAGE, "boot-1");
    Logs.append(opened.log(), 1, 20);
    Logs.appendEntry(opened.log(), 1, 20, false);
    opened.log().close(true);
    assertThat(Files.exists(new LogDirectory(directory()).cleanStop())).isFalse();
  }

  @Test
  void aNewerFormatIsRefused() throws IOException {
    open(Persist.PAGE, "boot-1").log().close();
    LogDirectory files = new LogDirectory(directory());
    Files.writeString(files.format(), "tidemark-log 3\nsomething=else\n");
    assertThatThrownBy(() -> open(Persist.PAGE, "boot-1"))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("log format 3")
        .hasMessageContaining("start the release that wrote it");
    assertThatThrownBy(() -> LogReader.open(directory())).isInstanceOf(LogFormatException.class);
    assertThat(Files.readString(files.format())).startsWith("tidemark-log 3");
  }

  @Test
  void aDamagedFormatFileIsRefused() throws IOException {
    open(Persist.PAGE, "boot-1").log().close();
    Path format = new LogDirectory(directory()).format();
    Files.writeString(format, Files.readString(format).replace("persist=PAGE", "persist=DISK"));
    assertThatThrownBy(() -> open(Persist.PAGE, "boot-1"))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("checksum");
  }

  /** COR-17: segments without an owner are nobody's log. */
  @Test
  void cor17SegmentsWithoutAFormatFileAreRefused() throws IOException {
    liveAndDie(Persist.PAGE, "boot-1");
    Files.delete(new LogDirectory(directory()).format());
    assertThatThrownBy(() -> open(Persist.PAGE, "boot-1"))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("no FORMAT file");
  }
}
