package io.tidemark.server.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.state.StateRecord;
import io.tidemark.api.state.StateSink;
import io.tidemark.server.config.SnapshotConfig;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.server.snapshot.SnapshotRequests.Outcome;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotOptions;
import io.tidemark.snapshot.SnapshotStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When snapshots are taken, and what happens when one can't be. */
@Timeout(60)
class SnapshotServiceTest {
  private static final long LOG_BYTES = 1 << 20;

  @TempDir private Path root;
  private final Source source = new Source();
  private final AtomicLong nanos = new AtomicLong();
  private final SnapshotFigures figures = new SnapshotFigures();
  private SnapshotService service;

  /** A state of one record, on a log that grows when a test says so. */
  private static final class Source implements SnapshotSource {
    volatile long index = 1;
    volatile long bytes;
    volatile RuntimeException failure;
    volatile boolean endless;
    volatile boolean begun;
    final List<Long> removedBefore = new ArrayList<>();

    void append(long moreBytes) {
      bytes += moreBytes;
      index++;
    }

    @Override
    public long endIndex() {
      return index;
    }

    @Override
    public long appendedBytes() {
      return bytes;
    }

    @Override
    public long logBytesFrom(long from) {
      return 0;
    }

    @Override
    public long tableBytes() {
      return 0;
    }

    @Override
    public void rollSoon() {}

    @Override
    public void capture(StateSink sink, long maxPreservedBytes) {
      assertThat(maxPreservedBytes).isEqualTo(64 << 20);
      if (failure != null) {
        throw failure;
      }
      sink.begin(new LogPosition(1, index, index));
      do {
        sink.record(new StateRecord.Facts(1, 1, 1, 1, 1, 1));
        begun = true;
      } while (endless);
      sink.end(0, 0);
    }

    @Override
    public int removeBefore(long from) {
      removedBefore.add(from);
      return 1;
    }
  }

  private void start(SnapshotConfig config) {
    SnapshotOptions options = SnapshotOptions.defaults(new UUID(1, 1), new UUID(2, 2));
    SnapshotTaker taker = new SnapshotTaker(config, source, store(), options, figures);
    service = new SnapshotService(config, source, taker, figures, nanos::get, -1);
    service.start();
  }

  private static SnapshotConfig config(boolean enabled, long intervalMs) {
    return new SnapshotConfig(enabled, LOG_BYTES, intervalMs, 2, 0, false);
  }

  private SnapshotStore store() {
    return new SnapshotStore(root.resolve("snapshots"));
  }

  @AfterEach
  void stop() {
    if (service != null) {
      service.stop();
    }
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private Outcome take() throws Exception {
    return service.request().get(30, TimeUnit.SECONDS);
  }

  @Test
  void oneIsTakenWhenEnoughWasAppended() {
    start(config(true, 0));
    source.append(LOG_BYTES / 4 - 1);
    source.append(1);
    until(() -> figures.latest().index() == 3);
    assertThat(store().list()).singleElement().matches(Snapshot::isVerified);
    assertThat(figures.log().unbounded()).isFalse();
    source.append(LOG_BYTES / 4);
    until(() -> figures.taken.sum() == 2);
  }

  @Test
  void oneIsTakenWhenEnoughTimeHasPassedAndSomethingWasAppended() {
    start(config(true, 5_000));
    source.append(1);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
    until(() -> figures.latest().index() == 2);
  }

  @Test
  void theLogGoesOnlyBehindTheOlderOfTwoAndOnlyIfThatIsSound() throws Exception {
    start(config(true, 0));
    source.index = 10;
    take();
    assertThat(source.removedBefore).isEmpty();
    source.index = 20;
    take();
    assertThat(source.removedBefore).containsExactly(11L);
    source.index = 30;
    take();
    assertThat(source.removedBefore).containsExactly(11L, 21L);
    assertThat(store().list()).extracting(Snapshot::index).containsExactly(30L, 20L);
    damage(store().list().get(0).folder());
    source.index = 40;
    take();
    assertThat(source.removedBefore)
        .as("30 is damaged, so 20 is still needed")
        .last()
        .isEqualTo(21L);
    assertThat(store().list()).extracting(Snapshot::index).containsExactly(40L, 30L, 20L);
  }

  /** A standby takes its own while the leader's is being given its name (HA-REQ-036). */
  @Test
  void oneThatArrivesMeanwhileIsLeftAlone() throws Exception {
    Path named = root.resolve("snapshots/snapshot-00000000000000000050");
    Path arriving = root.resolve("snapshots/.arriving-00000000000000000060");
    Files.createDirectories(named);
    Files.createDirectories(arriving);
    start(config(true, 0));
    source.append(1);
    assertThat(take().failure()).isEmpty();
    assertThat(named).isDirectory();
    assertThat(arriving).isDirectory();
  }

  private static void damage(Path folder) throws IOException {
    Path chunk = folder.resolve("tables-000000.chunk");
    byte[] bytes = Files.readAllBytes(chunk);
    bytes[30] ^= 1;
    Files.write(chunk, bytes);
  }

  @Test
  void aFailureIsSaidAndTriedAgainLater() throws Exception {
    start(config(true, 0));
    source.failure = new IllegalStateException("too much changed");
    assertThat(take().failure()).hasValue("too much changed");
    source.append(LOG_BYTES);
    source.failure = null;
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
    until(() -> figures.taken.sum() == 1);
    assertThat(figures.failed.sum()).isEqualTo(1);
  }

  @Test
  void aFolderThatCannotBeWrittenIsAFailureWithWords() throws Exception {
    Files.createFile(root.resolve("snapshots"));
    start(config(true, 0));
    assertThat(take().failure().orElseThrow())
        .contains("can't write a snapshot")
        .contains("snapshots");
    assertThat(figures.failed.sum()).isEqualTo(1);
  }

  @Test
  void switchedOffTheLogIsSaidToBeUnboundedAndARequestStillWorks() throws Exception {
    start(config(false, 1));
    source.append(LOG_BYTES * 10);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    assertThat(take().failure()).isEmpty();
    assertThat(figures.taken.sum()).isEqualTo(1);
    assertThat(figures.log().unbounded()).isTrue();
  }

  @Test
  void nothingNewIsNotTakenAgain() throws Exception {
    start(config(true, 0));
    source.index = 7;
    assertThat(take().alreadyThere()).isFalse();
    Outcome again = take();
    assertThat(again.alreadyThere()).isTrue();
    assertThat(again.index()).isEqualTo(7);
    assertThat(figures.taken.sum()).isEqualTo(1);
  }

  @Test
  void stoppingGivesUpWhatIsBeingTaken() throws Exception {
    start(config(true, 0));
    source.endless = true;
    var outcome = service.request();
    until(() -> source.begun);
    service.stop();
    assertThat(outcome.get(10, TimeUnit.SECONDS).failure()).hasValue("the master is stopping");
    assertThat(store().list()).isEmpty();
    assertThat(root.resolve("snapshots")).isEmptyDirectory();
    assertThat(take().failure()).hasValue("the master is stopping");
  }
}
