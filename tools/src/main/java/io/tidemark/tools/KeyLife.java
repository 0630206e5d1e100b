package io.tidemark.tools;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.event.Reason;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.state.StateRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Follows one key through a log. Keeps the key's present copy, how the last one ended, and ranges
 * that are still in quarantine; nothing of other keys but on which mount each replica lies.
 */
final class KeyLife {
  private final ObjectKey key;
  private final Mounts mounts = new Mounts();
  private final DiscardLedger ledger = new DiscardLedger(mounts);
  private final EventText words = new EventText(mounts);

  private final Map<Long, PlacedReplica> memory = new LinkedHashMap<>();
  private final Map<Long, String> disk = new LinkedHashMap<>();
  private final List<Long> complete = new ArrayList<>();
  private final List<KeyRange> ranges = new ArrayList<>();
  private boolean exists;
  private boolean writing;
  private Event.WriteStarted start;
  private Uuid writer = Uuid.ZERO;
  private EntryHeader startedAt;
  private EntryHeader writeAt;
  private EntryHeader completeAt;
  private End lastEnd;
  private Departure departure;

  /**
   * How a copy ended.
   *
   * @param departure if its segments had left before, when and how that was decided
   */
  record End(EntryHeader at, Reason reason, Optional<Departure> departure) {}

  /** A segment left under the key, or its owner fell silent; readers don't see it since then. */
  record Departure(EntryHeader at, String text) {}

  /**
   * Something that concerned the key.
   *
   * @param what an {@link Ending}'s word for a drop, else the event's type in lower case
   * @param details further lines, for people
   */
  record Step(EntryHeader at, Event event, String what, String text, List<String> details) {}

  KeyLife(ObjectKey key) {
    this.key = key;
  }

  /** Takes over what a snapshot says, before the events behind it. */
  void beginWith(SnapshotSeed seed) {
    seed.feed(
        new SnapshotSeed.Follower() {
          @Override
          public void discardsUpTo(long lastDiscardId) {
            ledger.startAt(lastDiscardId);
          }

          @Override
          public void event(EntryHeader at, Event event) {
            accept(at, event);
          }

          @Override
          public void object(EntryHeader at, StateRecord.StoredObject object) {
            if (object.key().equals(key)) {
              SnapshotSeed.eventsOf(object).forEach(event -> accept(at, event));
              return;
            }
            for (StateRecord.Replica replica : object.replicas()) {
              if (replica.kind() == ReplicaType.MEMORY) {
                ledger.known(replica.id(), replica.segmentNumber());
              }
            }
          }
        });
  }

  /** Follows an event; returns what it meant for the key, if anything. */
  Optional<Step> accept(EntryHeader at, Event event) {
    long[] discardIds = ledger.apply(event);
    boolean own = event instanceof Event.ObjectEvent e && e.key().equals(key);
    boolean around = !own && concernsIndirectly(event);
    String text = own || around ? words.of(event) : "";
    List<String> details = new ArrayList<>();
    if (own) {
      applyOwn(at, (Event.ObjectEvent) event, discardIds, details);
    } else if (event instanceof Event.DiscardReleased e) {
      around = release(at, e, details);
      text = around ? "quarantine over: the key's old memory is free" : "";
    }
    mounts.apply(event);
    if (around) {
      noteDeparture(at, event, text);
    }
    return own || around
        ? Optional.of(new Step(at, event, what(event), text, details))
        : Optional.empty();
  }

  private static String what(Event event) {
    return event instanceof Event.ReplicasDropped e
        ? Ending.of(e.reason()).word()
        : event.type().name().toLowerCase(Locale.ROOT);
  }

  /** Whether the event is about a segment that holds the key, its owner, or all keys. */
  private boolean concernsIndirectly(Event event) {
    if (!exists) {
      return false;
    } else if (event instanceof Event.EpochStarted) {
      return true;
    } else if (event instanceof Event.SegmentGraceStarted e) {
      return isOn(e.segmentNumber());
    } else if (event instanceof Event.SegmentUnmounting e) {
      return isOn(e.segmentNumber());
    } else if (event instanceof Event.SegmentUnmounted e) {
      return isOn(e.segmentNumber());
    } else if (event instanceof Event.ClientChanged e) {
      return memory.values().stream()
          .map(replica -> mounts.get(replica.segmentNumber()))
          .anyMatch(mount -> mount != null && mount.owner().equals(e.clientId()));
    }
    return false;
  }

  private boolean isOn(int mount) {
    return memory.values().stream().anyMatch(replica -> replica.segmentNumber() == mount);
  }

  private void noteDeparture(EntryHeader at, Event event, String text) {
    boolean readableNow = isReadable();
    if (readableNow || event instanceof Event.DiscardReleased) {
      departure = readableNow ? null : departure;
    } else if (departure == null && !complete.isEmpty()) {
      departure = new Departure(at, text);
    }
  }

  // ---- the key's own events

  private void applyOwn(
      EntryHeader at, Event.ObjectEvent event, long[] discardIds, List<String> details) {
    if (event instanceof Event.WriteStarted e) {
      started(at, e);
    } else if (event instanceof Event.WriteResumed) {
      writeAt = at;
    } else if (event instanceof Event.WriteReopened e) {
      writeAt = at;
      writer = e.clientId();
      writing = true;
      complete.clear();
    } else if (event instanceof Event.ReplicasCompleted e) {
      for (long id : e.replicaIds()) {
        complete.add(id);
      }
      completeAt = at;
      writing = writing && !e.writeFinished();
    } else if (event instanceof Event.ReplicasDropped e) {
      dropped(at, e, discardIds, details);
    }
  }

  private void started(EntryHeader at, Event.WriteStarted event) {
    exists = true;
    writing = true;
    start = event;
    writer = event.clientId();
    startedAt = at;
    writeAt = at;
    completeAt = null;
    departure = null;
    ranges.removeIf(range -> !range.isWaiting());
    event.replicas().forEach(replica -> memory.put(replica.replicaId(), replica));
    if (event.diskReplicaId() != 0) {
      disk.put(event.diskReplicaId(), event.diskPath());
    }
  }

  private void dropped(
      EntryHeader at, Event.ReplicasDropped event, long[] discardIds, List<String> details) {
    for (int i = 0; i < event.replicaIds().length; i++) {
      long id = event.replicaIds()[i];
      complete.remove(Long.valueOf(id));
      disk.remove(id);
      PlacedReplica replica = memory.remove(id);
      if (replica != null) {
        KeyRange range =
            new KeyRange(
                replica,
                mounts.place(replica),
                at,
                discardIds[i],
                event.quarantineUntilMs(),
                !mounts.isValid(replica.segmentNumber()),
                0);
        ranges.add(range);
        details.add(range.text());
      }
    }
    writing = writing && !event.writeFinished();
    if (event.objectGone()) {
      exists = false;
      writing = false;
      lastEnd = new End(at, event.reason(), departure());
    }
  }

  private boolean release(EntryHeader at, Event.DiscardReleased event, List<String> details) {
    for (long id : event.discardIds()) {
      for (int i = 0; i < ranges.size(); i++) {
        if (ranges.get(i).discardId() == id) {
          ranges.set(i, ranges.get(i).released(at.index()));
          details.add(ranges.get(i).text());
        }
      }
    }
    return !details.isEmpty();
  }

  // ---- what is left of it

  /** Whether a reader would be shown a replica. */
  boolean isReadable() {
    return complete.stream().anyMatch(this::isReadable);
  }

  /** Whether a reader would be shown this replica. */
  boolean isReadable(long replicaId) {
    PlacedReplica replica = memory.get(replicaId);
    return complete.contains(replicaId)
        && (replica == null
            ? disk.containsKey(replicaId)
            : mounts.isReadable(replica.segmentNumber()));
  }

  ObjectKey key() {
    return key;
  }

  /** Whether any entry named the key. */
  boolean isKnown() {
    return start != null;
  }

  /** Whether the key has a record, readable or not. */
  boolean exists() {
    return exists;
  }

  boolean isWriting() {
    return writing;
  }

  boolean hasComplete() {
    return !complete.isEmpty();
  }

  Uuid writer() {
    return writer;
  }

  /** The start of the last copy. */
  Event.WriteStarted start() {
    return start;
  }

  EntryHeader startedAt() {
    return startedAt;
  }

  /** When the last write began or was resumed. */
  EntryHeader writeAt() {
    return writeAt;
  }

  Optional<EntryHeader> completeAt() {
    return Optional.ofNullable(completeAt);
  }

  /** How the last copy that ended did so. */
  Optional<End> lastEnd() {
    return Optional.ofNullable(lastEnd);
  }

  /** Why a complete key is not shown to readers. */
  Optional<Departure> departure() {
    return Optional.ofNullable(departure);
  }

  /** Ranges of the last copy, and older ones that were in quarantine when it began. */
  List<KeyRange> ranges() {
    return ranges;
  }

  /** Where the replicas of the present copy lie, in words, by id. */
  Map<Long, String> places() {
    Map<Long, String> places = new LinkedHashMap<>();
    memory.forEach((id, replica) -> places.put(id, "on " + mounts.place(replica)));
    disk.forEach((id, path) -> places.put(id, "in file " + Printable.quoted(path)));
    return places;
  }

  /** Whether a replica of the present copy was written to its end. */
  boolean isComplete(long replicaId) {
    return complete.contains(replicaId);
  }
}
