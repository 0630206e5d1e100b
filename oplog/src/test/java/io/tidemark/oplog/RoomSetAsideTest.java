package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** COR-03: a yes of {@link ChronicleLog#hasSpace} holds, whatever happens to the disk meanwhile. */
class RoomSetAsideTest {
  private static final long PLENTY = 1L << 30;

  @TempDir(factory = Logs.InMemory.class)
  private Path root;

  @TempDir(factory = Logs.InMemory.class)
  private Path other;

  private final AtomicLong usable = new AtomicLong(PLENTY);
  private ChronicleLog log;

  @AfterEach
  void close() {
    if (log != null) {
      log.close(false);
    }
  }

  @Test
  void whatWasDecidedAfterAYesIsWrittenThoughTheDiskIsFullByThen() {
    open();
    Logs.append(log, 5, 200);
    assertThat(log.hasSpace()).isTrue();
    usable.set(0);
    untilTheFigureIsMeasuredAnew();
    Logs.append(log, 1, 100_000);
    assertThat(log.end().index()).isEqualTo(6);
    assertThat(log.hasSpace()).isFalse();
    assertThatThrownBy(() -> Logs.append(log, 1, 200)).isInstanceOf(LogFullException.class);
  }

  @Test
  void aYesHoldsForTheFirstEntryOfAFileToo() throws IOException {
    open();
    assertThat(log.hasSpace()).isTrue();
    assertThat(new LogDirectory(root).listSegments()).as("made ahead").hasSize(1);
    usable.set(0);
    untilTheFigureIsMeasuredAnew();
    Logs.append(log, 1, 200);
    usable.set(PLENTY);
    untilTheFigureIsMeasuredAnew();
    log.rollSoon();
    assertThat(log.hasSpace()).isTrue();
    usable.set(0);
    untilTheFigureIsMeasuredAnew();
    Logs.append(log, 1, 200);
    assertThat(new LogDirectory(root).listSegments()).hasSize(2);
    assertThat(LogReader.open(root).verify().end().index()).isEqualTo(2);
  }

  @Test
  void aRollThatIsAskedForAfterTheYesWaitsForTheNextBatch() throws IOException {
    open();
    Logs.append(log, 1, 200);
    assertThat(log.hasSpace()).isTrue();
    log.rollSoon();
    Logs.append(log, 1, 200);
    assertThat(new LogDirectory(root).listSegments()).hasSize(1);
    assertThat(log.hasSpace()).isTrue();
    Logs.append(log, 1, 200);
    assertThat(new LogDirectory(root).listSegments()).hasSize(2);
  }

  @Test
  void aFileThatWasMadeAheadAndNotUsedGoesWithTheLog() throws IOException {
    open();
    Logs.append(log, 1, 200);
    log.rollSoon();
    assertThat(log.hasSpace()).isTrue();
    assertThat(new LogDirectory(root).listSegments()).hasSize(2);
    log.close(true);
    assertThat(new LogDirectory(root).listSegments()).hasSize(1);
  }

  @Test
  void aFileThatWasMadeAheadIsNoDamageAfterAKill() throws IOException {
    open();
    Logs.append(log, 3, 200);
    log.rollSoon();
    assertThat(log.hasSpace()).isTrue();
    Path copy = Logs.copy(root, other);
    assertThat(LogReader.open(copy).verify().end().index()).isEqualTo(3);
    OpenedLog opened = ChronicleLog.open(Logs.options(copy));
    try (ChronicleLog again = opened.log()) {
      assertThat(opened.report().findings()).isEmpty();
      assertThat(opened.report().entriesDropped()).isZero();
      assertThat(opened.entriesMayBeMissing()).isFalse();
      assertThat(again.hasSpace()).isTrue();
      Logs.append(again, 1, 200);
      assertThat(again.end().index()).isEqualTo(4);
      assertThat(Logs.entries(again)).hasSize(4);
    }
  }

  @Test
  void blocksThatCantBeHadAreANo() throws IOException {
    Path alwaysFull = Path.of("/dev/full");
    try (SpaceGuard guard = new SpaceGuard(0, () -> 0)) {
      guard.begin(alwaysFull, 0);
      assertThat(guard.setAside(0)).isFalse();
    }
  }

  private void open() {
    log = ChronicleLog.open(Logs.options(root), usable::get).log();
  }

  /** The figure of free space is believed for 50 ms. */
  private static void untilTheFigureIsMeasuredAnew() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(60);
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
