package io.tidemark.server.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.Uuid;
import io.tidemark.api.ha.Member;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogPosition;
import io.tidemark.core.Replayer;
import io.tidemark.core.StateImporter;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogOptions;
import io.tidemark.oplog.MemberFile;
import io.tidemark.oplog.OpenedLog;
import io.tidemark.oplog.replication.SnapshotShelf;
import io.tidemark.server.node.NodeSnapshots;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotExport;
import io.tidemark.snapshot.SnapshotOptions;
import io.tidemark.snapshot.SnapshotStore;
import io.tidemark.snapshot.SnapshotWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a member goes on from, and what it sends and receives, over real files. */
class MemberSnapshotsTest {
  private static final UUID CLUSTER = new UUID(5, 6);
  private static final int ENTRIES = 10;

  @TempDir private Path directory;
  private final BlockingQueue<Runnable> loop = new ArrayBlockingQueue<>(8);
  private ChronicleLog log;
  private DirectoryIdentity identity;
  private SnapshotStore store;
  private MemberSnapshots snapshots;

  @BeforeEach
  void openLog() {
    OpenedLog opened = ChronicleLog.open(LogOptions.defaults(directory));
    log = opened.log();
    identity = new DirectoryIdentity(opened, new MemberFile(directory));
    identity.adopt(CLUSTER);
    store = new SnapshotStore(directory.resolve("snapshots"));
    snapshots = new MemberSnapshots(store, log, identity, AllocatorKind.OFFSET, loop::add);
  }

  @AfterEach
  void close() {
    snapshots.close();
    log.close(true);
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      long index = log.end().index() + 1;
      log.append(new EntryHeader(index, 1, 1, 1, 1, Uuid.ZERO, true), new byte[0], 0, 0);
      log.endBatch();
    }
  }

  /** A sound snapshot of an empty state at a position. */
  private static Snapshot write(SnapshotStore into, UUID cluster, LogPosition at) {
    StateImporter.Restored empty = new StateImporter(AllocatorKind.OFFSET).finish(at);
    try (SnapshotWriter writer =
        into.writer(SnapshotOptions.defaults(cluster, new UUID(1, 1)), () -> false)) {
      into.open();
      new Replayer(empty).capture(at, Long.MAX_VALUE).writeTo(writer);
      Snapshot published = writer.published();
      assertThat(into.verify(published)).isEmpty();
      return published;
    }
  }

  private LogPosition at(long index) {
    return log.positionAt(index).orElseThrow();
  }

  private NodeSnapshots.Choice choose() throws InterruptedException {
    NodeSnapshots.Choice[] chosen = new NodeSnapshots.Choice[1];
    snapshots.restore(choice -> chosen[0] = choice);
    runOnLoop();
    return chosen[0];
  }

  private void runOnLoop() throws InterruptedException {
    Runnable task = loop.poll(20, TimeUnit.SECONDS);
    assertThat(task).as("a callback on the node's loop").isNotNull();
    task.run();
  }

  private static long indexOf(NodeSnapshots.Choice choice) {
    return choice.state().orElseThrow().position().index();
  }

  @Test
  void withoutSnapshotsTheWholeLogIsReplayed() throws InterruptedException {
    append(ENTRIES);
    NodeSnapshots.Choice choice = choose();
    assertThat(indexOf(choice)).isZero();
    assertThat(choice.why()).contains("from the beginning of the log");
  }

  @Test
  void theNewestThatFitsTheLogIsTaken() throws InterruptedException {
    append(ENTRIES);
    write(store, CLUSTER, at(4));
    write(store, CLUSTER, at(7));
    write(store, CLUSTER, new LogPosition(1, 9, 12345));
    NodeSnapshots.Choice choice = choose();
    assertThat(indexOf(choice)).isEqualTo(7);
    assertThat(choice.beyondLog()).isFalse();
  }

  /** HA-REQ-042: never an empty state by accident. */
  @Test
  void aShortenedLogWithoutASnapshotGivesNothingAndSaysWhatToDo() throws InterruptedException {
    log.restartAt(new LogPosition(1, 50, 5));
    append(ENTRIES);
    NodeSnapshots.Choice choice = choose();
    assertThat(choice.state()).isEmpty();
    assertThat(choice.why())
        .contains("the log begins at entry 51")
        .contains("Move " + directory + " away and start again");
  }

  /** COR-16, COR-26. */
  @Test
  void aLogThatEndsBelowItsSnapshotMakesAnotherMember() throws InterruptedException {
    write(store, CLUSTER, new LogPosition(3, 40, 99));
    NodeSnapshots.Choice choice = choose();
    assertThat(choice.beyondLog()).isTrue();
    Member before = identity.self();
    snapshots.goOnBehind(new LogPosition(3, 40, 99));
    assertThat(log.base()).isEqualTo(new LogPosition(3, 40, 99));
    assertThat(identity.self().node()).isEqualTo(before.node());
    assertThat(identity.self().incarnation()).isNotEqualTo(before.incarnation());
    assertThat(indexOf(choose())).isEqualTo(40);
  }

  @Test
  void snapshotsAboveACutAreSetAside() throws InterruptedException {
    append(ENTRIES);
    write(store, CLUSTER, at(4));
    write(store, CLUSTER, at(8));
    snapshots.setAsideAbove(at(6));
    assertThat(store.list()).extracting(Snapshot::index).containsExactly(4L);
    assertThat(directory.resolve("snapshots/set-aside-snapshot-00000000000000000008")).exists();
  }

  @Test
  void whatIsSentArrivesAndIsTheOnesOwnThen() throws InterruptedException {
    append(ENTRIES);
    SnapshotStore other = new SnapshotStore(directory.resolve("other"));
    Snapshot sent = write(other, CLUSTER, new LogPosition(2, 30, 7));
    SnapshotShelf.Incoming incoming = null;
    try (SnapshotShelf.Outgoing outgoing = new ShelfFiles.Sent(new SnapshotExport(sent))) {
      incoming = snapshots.receive(outgoing.position(), outgoing.bytes());
      for (byte[] part = outgoing.read(100); part.length > 0; part = outgoing.read(100)) {
        incoming.write(part);
      }
    }
    Optional<?>[] failure = new Optional<?>[1];
    snapshots.publish(incoming, failed -> failure[0] = failed);
    runOnLoop();
    assertThat(failure[0]).isEmpty();
    assertThat(snapshots.newest(30)).isPresent();
    assertThat(snapshots.newest(31)).isEmpty();
    log.restartAt(new LogPosition(2, 30, 7));
    assertThat(indexOf(choose())).isEqualTo(30);
  }

  @Test
  void whatIsNoSnapshotIsRefusedWithWords() {
    SnapshotShelf.Incoming incoming = snapshots.receive(new LogPosition(2, 30, 7), 500);
    assertThatThrownBy(() -> incoming.write(new byte[500]))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("manifest");
    incoming.abandon();
    assertThat(store.list()).isEmpty();
  }

  @Test
  void aFolderThatCanNotBeMadeIsSaid() throws IOException {
    Files.createFile(directory.resolve("snapshots"));
    assertThatThrownBy(() -> snapshots.receive(new LogPosition(2, 30, 7), 500))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(directory.resolve("snapshots").toString());
    assertThat(snapshots.newest(0)).isEmpty();
  }
}
