package io.tidemark.tools;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.event.Reason;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.api.state.StateRecord;
import io.tidemark.oplog.LogReader;
import io.tidemark.snapshot.Manifest;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a snapshot tells those who follow a log whose beginning was removed: segments, owners, and
 * objects, as the events that would have made them.
 */
final class SnapshotSeed {
  private final Snapshot snapshot;
  private final Manifest manifest;

  private SnapshotSeed(Snapshot snapshot) {
    this.snapshot = snapshot;
    this.manifest = snapshot.manifest().orElseThrow();
  }

  /** Receives what the snapshot holds. */
  interface Follower {

    /** Highest discard id used up to the snapshot; first of all. */
    void discardsUpTo(long lastDiscardId);

    /** An event that could have led to the state. */
    void event(EntryHeader at, Event event);

    /** An object. */
    void object(EntryHeader at, StateRecord.StoredObject object);
  }

  /**
   * The oldest intact snapshot that a log goes on behind; says on {@code notes} where the log
   * begins.
   *
   * @return nothing if the log reaches back to its first entry, or there is no such snapshot
   */
  static Optional<SnapshotSeed> find(LogReader log, Path dataDirectory, PrintWriter notes) {
    long base = log.base().index();
    if (base == 0) {
      return Optional.empty();
    }
    List<Snapshot> oldestFirst = new ArrayList<>(SnapshotFolder.in(dataDirectory).list());
    Collections.reverse(oldestFirst);
    Optional<SnapshotSeed> found =
        oldestFirst.stream()
            .filter(s -> s.index() >= base && s.manifest().isPresent())
            .filter(s -> s.manifest().get().cluster().equals(log.identity().cluster()))
            .filter(s -> SnapshotReader.verify(s).isEmpty())
            .findFirst()
            .map(SnapshotSeed::new);
    notes.println(
        "note: the log begins behind entry "
            + base
            + "; what was before is known only as far as "
            + found
                .map(seed -> "the snapshot of entry " + seed.index() + " tells")
                .orElse("later entries tell, since no intact snapshot is there"));
    return found;
  }

  /** Log index of the snapshot: entries up to it are in it. */
  long index() {
    return snapshot.index();
  }

  /** Hands out everything, in an order in which it could have happened. */
  void feed(Follower follower) {
    SnapshotReader.read(snapshot, (record, place) -> feed(record, follower));
  }

  private void feed(StateRecord record, Follower follower) {
    EntryHeader at = header(index(), 0);
    if (record instanceof StateRecord.Facts facts) {
      follower.discardsUpTo(facts.lastDiscardId());
    } else if (record instanceof StateRecord.Client client
        && client.state() == ClientState.SUSPECTED) {
      follower.event(at, new Event.ClientChanged(client.clientId(), client.state(), Reason.SILENT));
    } else if (record instanceof StateRecord.Segment segment) {
      follower.event(
          at, new Event.SegmentMounted(segment.number(), segment.info(), segment.clientId()));
      if (segment.unmountReason() != Reason.NONE) {
        follower.event(at, new Event.SegmentUnmounting(segment.number(), segment.unmountReason()));
      }
    } else if (record instanceof StateRecord.StoredObject object) {
      follower.object(header(object.lastIndex(), object.startMs()), object);
    }
  }

  /** Wall time and epoch are the snapshot's: it does not keep those of each object. */
  private EntryHeader header(long index, long logTimeMs) {
    return new EntryHeader(
        index, manifest.position().epoch(), logTimeMs, manifest.createdMs(), 0, Uuid.ZERO, true);
  }

  /** The events that would have made an object. */
  static List<Event> eventsOf(StateRecord.StoredObject object) {
    List<PlacedReplica> placed = new ArrayList<>();
    long disk = 0;
    List<Long> complete = new ArrayList<>();
    for (StateRecord.Replica replica : object.replicas()) {
      if (replica.kind() == ReplicaType.MEMORY) {
        placed.add(
            new PlacedReplica(
                replica.id(),
                replica.segmentNumber(),
                replica.offsetBytes(),
                replica.blockBytes()));
      } else {
        disk = replica.id();
      }
      if (replica.status() == ReplicaStatus.COMPLETE.code()) {
        complete.add(replica.id());
      }
    }
    Event started =
        new Event.WriteStarted(
            object.key(),
            object.clientId(),
            object.sizeBytes(),
            placed,
            disk,
            "",
            object.hardPin(),
            object.dataType(),
            object.groupId(),
            SoftPinAction.values()[0],
            0,
            OptionalLong.empty());
    if (complete.isEmpty()) {
      return List.of(started);
    }
    long[] ids = complete.stream().mapToLong(Long::longValue).toArray();
    return List.of(
        started,
        new Event.ReplicasCompleted(
            object.key(),
            ids,
            object.checksum().isPresent(),
            object.checksum(),
            OptionalLong.empty(),
            false,
            !object.writing()));
  }
}
