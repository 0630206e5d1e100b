package io.tidemark.snapshot;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.state.StateRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Chooses what a start goes on from, and says why not from the others.
 *
 * <p>The newest snapshot of this cluster wins that is intact, gives the digest that it was written
 * with, and stands on the log: where the log still has its index, epoch and chain hash there must
 * be the same (COR-26). A snapshot above the log's end counts: it is of a log that has lost its
 * tail. Failing all of them, a log that reaches back to its first entry is replayed whole. Failing
 * that, a snapshot of which only objects are damaged is used without them. If nothing is left, the
 * start is refused: an empty table is never served by accident.
 *
 * @param <S> a state as the caller builds it
 */
public final class RestorePlan<S> {
  private final UUID cluster;
  private final LogView log;
  private final Builders<S> builders;
  private final List<Rejection> rejected = new ArrayList<>();
  private final List<Snapshot> objectsDamaged = new ArrayList<>();
  private boolean beyondLog;

  /** The log as the plan needs to see it. */
  public interface LogView {

    /** The position before the first entry that the log still has. */
    LogPosition base();

    /** The last entry. */
    LogPosition end();

    /** The position of an entry from {@link #base} to {@link #end}, both included. */
    LogPosition at(long index);
  }

  /**
   * Builds one state.
   *
   * @param <S> as the plan
   */
  public interface StateBuilder<S> {

    /**
     * Takes the next record.
     *
     * @return why it was left out; only a builder for a damaged snapshot leaves anything out
     * @throws IllegalStateException if it contradicts the records before it
     */
    Optional<String> record(StateRecord record);

    /**
     * Finishes the state.
     *
     * @param leftOut objects and writes that are not in it
     * @throws IllegalStateException if it does not fit together
     */
    Built<S> finish(LogPosition position, int leftOut);
  }

  /**
   * A finished state and its digest.
   *
   * @param <S> as the plan
   */
  public record Built<S>(S state, long digest) {}

  /**
   * Begins states.
   *
   * @param <S> as the plan
   */
  @FunctionalInterface
  public interface Builders<S> {

    /**
     * A builder with an empty state.
     *
     * @param tolerant whether objects that contradict others are to be left out
     */
    StateBuilder<S> create(boolean tolerant);
  }

  /** Why a snapshot was not used. */
  public record Rejection(Snapshot snapshot, String reason) {
    @Override
    public String toString() {
      return snapshot.name() + ": " + reason;
    }
  }

  /** What a start goes on from. */
  public enum Kind {
    /** The log from its first entry, which may be the end of an empty log. */
    FULL_REPLAY,
    /** A snapshot and the log behind it. */
    SNAPSHOT,
    /** A snapshot that is above the log's end: the log has lost its tail and goes on behind it. */
    SNAPSHOT_BEYOND_LOG
  }

  /**
   * The choice.
   *
   * @param state present unless the log is replayed whole
   * @param position where the state stands; the log is replayed behind it
   * @param entriesLost whether a snapshot proves that the log was longer than it is
   * @param rejected newer snapshots, newest first, each with the reason
   * @param leftOut one phrase for each object that could not be restored
   * @param <S> as the plan
   */
  public record Choice<S>(
      Kind kind,
      Optional<S> state,
      LogPosition position,
      Optional<Snapshot> snapshot,
      boolean entriesLost,
      List<Rejection> rejected,
      List<String> leftOut) {}

  /** A plan for a log and a way to build states. */
  public RestorePlan(UUID cluster, LogView log, Builders<S> builders) {
    this.cluster = cluster;
    this.log = log;
    this.builders = builders;
  }

  /**
   * Chooses among snapshots, newest first.
   *
   * @throws NothingToRestoreException if neither a snapshot nor the log gives a state
   */
  public Choice<S> choose(List<Snapshot> snapshots) {
    return choose(snapshots, true);
  }

  /**
   * As {@link #choose}, but a snapshot of which objects are damaged is no choice: for a node that
   * can get all of it from others.
   */
  public Choice<S> chooseWhole(List<Snapshot> snapshots) {
    return choose(snapshots, false);
  }

  private Choice<S> choose(List<Snapshot> snapshots, boolean damagedToo) {
    for (Snapshot snapshot : snapshots) {
      Optional<Choice<S>> choice = judge(snapshot);
      if (choice.isPresent()) {
        return choice.get();
      }
    }
    boolean logIsWhole = log.base().index() == 0;
    if (logIsWhole && (log.end().index() > 0 || snapshots.isEmpty())) {
      return new Choice<>(
          Kind.FULL_REPLAY,
          Optional.empty(),
          LogPosition.START,
          Optional.empty(),
          beyondLog,
          List.copyOf(rejected),
          List.of());
    }
    for (Snapshot snapshot : damagedToo ? objectsDamaged : List.<Snapshot>of()) {
      Optional<Choice<S>> choice = withoutDamaged(snapshot);
      if (choice.isPresent()) {
        return choice.get();
      }
    }
    throw new NothingToRestoreException(log.base(), log.end(), List.copyOf(rejected));
  }

  private Optional<Choice<S>> judge(Snapshot snapshot) {
    Optional<String> objection = objection(snapshot);
    if (objection.isPresent()) {
      return reject(snapshot, objection.get());
    }
    Manifest manifest = snapshot.manifest().orElseThrow();
    try {
      StateBuilder<S> builder = builders.create(false);
      SnapshotReader.Outcome outcome =
          SnapshotReader.read(snapshot, (record, place) -> builder.record(record));
      if (outcome.lostObjects() > 0 || outcome.lostOthers()) {
        if (!outcome.lostOthers()) {
          objectsDamaged.add(snapshot);
        }
        return reject(snapshot, first(outcome.faults()));
      }
      Built<S> built = builder.finish(manifest.position(), 0);
      if (built.digest() != manifest.digest()) {
        return reject(
            snapshot,
            String.format(
                "its records give state digest %016x, it was written with %016x",
                built.digest(), manifest.digest()));
      }
      return Optional.of(choice(snapshot, built, List.of()));
    } catch (SnapshotException unusable) {
      return reject(snapshot, unusable.getMessage());
    } catch (IllegalStateException contradiction) {
      objectsDamaged.add(snapshot);
      return reject(snapshot, "its records contradict each other: " + contradiction.getMessage());
    }
  }

  /** What speaks against a snapshot before its chunks are read. */
  private Optional<String> objection(Snapshot snapshot) {
    if (snapshot.manifest().isEmpty()) {
      beyondLog |= snapshot.index() > log.end().index();
      return Optional.of(snapshot.reason());
    }
    Manifest manifest = snapshot.manifest().get();
    if (!manifest.cluster().equals(cluster)) {
      return Optional.of(
          "it is of cluster " + manifest.cluster() + ", this data directory is of " + cluster);
    }
    LogPosition at = manifest.position();
    if (at.index() > log.end().index()) {
      beyondLog = true;
      return at.epoch() < log.end().epoch()
          ? Optional.of(
              "it is above the log's end, yet of epoch "
                  + at.epoch()
                  + " below the log's epoch "
                  + log.end().epoch())
          : Optional.empty();
    }
    if (at.index() < log.base().index()) {
      return Optional.of(
          "the log begins at entry "
              + (log.base().index() + 1)
              + ", entries from "
              + (at.index() + 1)
              + " on would be needed");
    }
    LogPosition there = log.at(at.index());
    return there.equals(at)
        ? Optional.empty()
        : Optional.of(
            String.format(
                "the log has another entry %d: epoch %d, chain hash %016x; the snapshot says epoch"
                    + " %d, %016x",
                at.index(), there.epoch(), there.chainHash(), at.epoch(), at.chainHash()));
  }

  private Optional<Choice<S>> withoutDamaged(Snapshot snapshot) {
    List<String> leftOut = new ArrayList<>();
    StateBuilder<S> builder = builders.create(true);
    try {
      SnapshotReader.read(
          snapshot,
          new SnapshotReader.Visitor() {
            @Override
            public void record(StateRecord record, RecordPlace place) {
              builder
                  .record(record)
                  .ifPresent(why -> leftOut.add(nameOf(record) + " (" + place + "): " + why));
            }

            @Override
            public void unreadable(RecordPlace place, String why) {
              leftOut.add("unknown object (" + place + "): " + why);
            }
          });
      Built<S> built = builder.finish(snapshot.manifest().orElseThrow().position(), leftOut.size());
      return Optional.of(choice(snapshot, built, List.copyOf(leftOut)));
    } catch (SnapshotException | IllegalStateException unusable) {
      return reject(snapshot, "not even without its damaged objects: " + unusable.getMessage());
    }
  }

  private Choice<S> choice(Snapshot snapshot, Built<S> built, List<String> leftOut) {
    LogPosition position = snapshot.manifest().orElseThrow().position();
    boolean beyond = position.index() > log.end().index();
    return new Choice<>(
        beyond ? Kind.SNAPSHOT_BEYOND_LOG : Kind.SNAPSHOT,
        Optional.of(built.state()),
        position,
        Optional.of(snapshot),
        beyondLog,
        List.copyOf(rejected),
        leftOut);
  }

  private Optional<Choice<S>> reject(Snapshot snapshot, String reason) {
    rejected.add(new Rejection(snapshot, reason));
    return Optional.empty();
  }

  private static String first(List<String> faults) {
    return faults.size() == 1
        ? faults.get(0)
        : faults.get(0) + " (and " + (faults.size() - 1) + " more)";
  }

  private static String nameOf(StateRecord record) {
    if (record instanceof StateRecord.StoredObject object) {
      return "object " + object.key();
    }
    return record instanceof StateRecord.Write write
        ? "unfinished write of " + write.key()
        : "record " + record.type();
  }
}
