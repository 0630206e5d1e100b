package io.tidemark.server.ha;

import io.tidemark.api.log.LogPosition;
import io.tidemark.core.StateImporter.Restored;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.server.node.NodeSnapshots;
import io.tidemark.server.snapshot.StateRestore;
import io.tidemark.snapshot.NothingToRestoreException;
import io.tidemark.snapshot.RestorePlan;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotException;
import io.tidemark.snapshot.SnapshotExport;
import io.tidemark.snapshot.SnapshotStore;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member's snapshots in its data directory, as its node needs them. What reads or forces much is
 * done by a thread of its own.
 */
final class MemberSnapshots implements NodeSnapshots {
  private static final Logger LOG = LoggerFactory.getLogger(MemberSnapshots.class);

  private final SnapshotStore store;
  private final ChronicleLog log;
  private final DirectoryIdentity identity;
  private final AllocatorKind allocatorKind;
  private final Executor loop;
  private final ExecutorService files =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "member-snapshots");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param loop the node's
   */
  MemberSnapshots(
      SnapshotStore store,
      ChronicleLog log,
      DirectoryIdentity identity,
      AllocatorKind allocatorKind,
      Executor loop) {
    this.store = store;
    this.log = log;
    this.identity = identity;
    this.allocatorKind = allocatorKind;
    this.loop = loop;
  }

  private UUID cluster() {
    return identity.cluster().orElseThrow();
  }

  @Override
  public void restore(Consumer<Choice> then) {
    files.execute(
        () -> {
          Choice choice = choose();
          loop.execute(() -> then.accept(choice));
        });
  }

  private Choice choose() {
    long begin = System.nanoTime();
    clearLeftovers();
    try {
      StateRestore restore = new StateRestore(store, log, cluster(), allocatorKind);
      RestorePlan.Choice<Restored> choice = restore.chooseWhole();
      Restored state = restore.stateOf(choice);
      LOG.info(
          "event=restored snapshot={} epoch={} objects={} log_end={} ms={}",
          choice.position().index(),
          choice.position().epoch(),
          state.state().objects().objectCount(),
          log.end().index(),
          (System.nanoTime() - begin) / 1_000_000);
      String from =
          choice.snapshot().isPresent()
              ? "from " + choice.snapshot().get().name()
              : "from the beginning of the log";
      boolean beyond = choice.kind() == RestorePlan.Kind.SNAPSHOT_BEYOND_LOG;
      return new Choice(Optional.of(state), beyond, "the state is built " + from);
    } catch (NothingToRestoreException nothing) {
      return new Choice(
          Optional.empty(),
          false,
          nothing.getMessage()
              + ". Nothing was changed. Move "
              + store.root().getParent()
              + " away and start again: the node joins with what the other members have");
    } catch (RuntimeException unreadable) {
      LOG.error("event=restore_failed", unreadable);
      return new Choice(
          Optional.empty(), false, "the state can't be restored: " + unreadable.getMessage());
    }
  }

  /** A folder that can't be written is no reason not to start. */
  private void clearLeftovers() {
    try {
      store.open().forEach(leftover -> LOG.warn("event=snapshot_leftover {}", leftover));
    } catch (SnapshotException unwritable) {
      LOG.error("event=snapshot_folder_unusable cause=\"{}\"", unwritable.getMessage());
    }
  }

  @Override
  public Optional<Outgoing> newest(long fromIndex) {
    try {
      return store
          .newestVerified(cluster(), fromIndex)
          .map(snapshot -> new ShelfFiles.Sent(new SnapshotExport(snapshot)));
    } catch (SnapshotException unreadable) {
      LOG.error("event=snapshot_not_sent cause=\"{}\"", unreadable.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public Incoming receive(LogPosition position, long bytes) {
    LOG.info(
        "event=snapshot_arrives index={} epoch={} bytes={}",
        position.index(),
        position.epoch(),
        bytes);
    return ShelfFiles.Arrived.begin(() -> store.importer(cluster(), position, bytes));
  }

  @Override
  public void publish(Incoming whole, Consumer<Optional<String>> then) {
    files.execute(
        () -> {
          Optional<String> failure = publish((ShelfFiles.Arrived) whole);
          loop.execute(() -> then.accept(failure));
        });
  }

  private static Optional<String> publish(ShelfFiles.Arrived arrived) {
    try {
      Snapshot snapshot = arrived.arrival().publish();
      LOG.info("event=snapshot_installed folder={}", snapshot.folder());
      return Optional.empty();
    } catch (SnapshotException failed) {
      return Optional.of(failed.getMessage());
    }
  }

  @Override
  public void goOnBehind(LogPosition position) {
    LOG.error(
        "event=log_tail_lost log_end={} snapshot={} meaning=\"the log has lost entries that this"
            + " snapshot holds; it goes on behind the snapshot, and this node joins the cluster as a"
            + " new member\"",
        log.end().index(),
        position.index());
    identity.renewed(log.continueBehind(position));
  }

  @Override
  public void setAsideAbove(LogPosition keep) {
    for (Snapshot snapshot : store.list()) {
      if (snapshot.index() > keep.index()) {
        LOG.warn("event=snapshot_set_aside folder={}", store.setAside(snapshot));
      }
    }
  }

  /** Ends the thread; what it is at is left as a crash would leave it. */
  void close() {
    files.shutdownNow();
  }
}
