package io.tidemark.tools;

import io.tidemark.api.WireText;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SoftPinAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Events in readable words, one line each. */
final class EventText {
  private final Mounts mounts;

  /**
   * Words for events.
   *
   * @param mounts segments as mounted where the event stands
   */
  EventText(Mounts mounts) {
    this.mounts = mounts;
  }

  /** The event in words. */
  String of(Event event) {
    if (event instanceof Event.WriteStarted e) {
      return started(e);
    } else if (event instanceof Event.WriteResumed e) {
      return "write of "
          + Printable.of(e.key())
          + " resumed by its writer: the same ranges, a fresh start time"
          + pinAction(e.softPin(), e.softPinTtlMs());
    } else if (event instanceof Event.WriteReopened e) {
      return "write of "
          + Printable.of(e.key())
          + " reopened by client "
          + e.clientId()
          + ": an upsert of the same size into the object's own ranges"
          + pinAction(e.softPin(), e.softPinTtlMs());
    } else if (event instanceof Event.ReplicasCompleted e) {
      return completed(e);
    } else if (event instanceof Event.ReplicasDropped e) {
      return dropped(e);
    } else if (event instanceof Event.SoftPinChanged e) {
      return Printable.of(e.key()) + ": " + pin(e.pinDeadlineMs()) + ": " + e.reason().text();
    } else if (event instanceof Event.DiscardReleased e) {
      return "quarantine over for "
          + plural(e.discardIds().length, "range")
          + " "
          + ids(e.discardIds());
    }
    return ofSegment(event);
  }

  private String ofSegment(Event event) {
    if (event instanceof Event.SegmentMounted e) {
      return mounted(e);
    } else if (event instanceof Event.SegmentGraceStarted e) {
      return mounts.name(e.segmentNumber())
          + " takes no new objects and is unmounted at log time "
          + e.deadlineMs()
          + " ms";
    } else if (event instanceof Event.SegmentUnmounting e) {
      return mounts.name(e.segmentNumber()) + " is being unmounted: " + e.reason().text();
    } else if (event instanceof Event.SegmentUnmounted e) {
      return mounts.name(e.segmentNumber()) + " is unmounted";
    } else if (event instanceof Event.ClientChanged e) {
      return "client " + e.clientId() + " is " + e.state() + ": " + e.reason().text();
    } else if (event instanceof Event.ClientReleaseLearned e) {
      return "client " + e.clientId() + " takes the answers of " + Printable.quoted(e.release());
    } else if (event instanceof Event.HostIdLearned e) {
      return "client " + e.clientId() + " runs on host " + Printable.quoted(e.hostId());
    } else if (event instanceof Event.EpochStarted e) {
      return "epoch "
          + e.epoch()
          + " began on node "
          + e.nodeId()
          + ": read leases of up to "
          + e.leaseTtlMs()
          + " ms"
          + (e.forced() ? "; an operator forced the start" : "");
    } else if (event instanceof Event.StateDigest e) {
      return "state digest " + digest(e.digest()) + " of " + plural(e.objectCount(), "object");
    }
    return "time passes";
  }

  private String started(Event.WriteStarted e) {
    List<String> parts = new ArrayList<>();
    for (PlacedReplica replica : e.replicas()) {
      parts.add("replica " + replica.replicaId() + " on " + mounts.place(replica));
    }
    if (e.diskReplicaId() != 0) {
      parts.add("replica " + e.diskReplicaId() + " in file " + Printable.quoted(e.diskPath()));
    }
    return "write of "
        + Printable.of(e.key())
        + " started by client "
        + e.clientId()
        + ": "
        + plural(e.sizeBytes(), "byte")
        + ", "
        + String.join(", ", parts)
        + (e.hardPin() ? "; hard pin" : "")
        + (e.groupId().isEmpty() ? "" : "; group " + Printable.quoted(e.groupId()))
        + pinAction(e.softPin(), e.softPinTtlMs())
        + (e.inheritedPinDeadlineMs().isPresent()
            ? "; keeps " + pin(e.inheritedPinDeadlineMs())
            : "");
  }

  private static String completed(Event.ReplicasCompleted e) {
    String readable =
        e.replicaIds().length == 0
            ? "nothing new readable"
            : replicas(e.replicaIds()) + " readable";
    return Printable.of(e.key())
        + ": "
        + readable
        + (e.writeFinished() ? ", write finished" : ", write goes on")
        + (e.setChecksum() && e.checksum().isPresent()
            ? "; checksum " + Long.toUnsignedString(e.checksum().getAsLong())
            : "")
        + (e.pinSettled() && e.pinDeadlineMs().isPresent() ? "; " + pin(e.pinDeadlineMs()) : "");
  }

  private static String dropped(Event.ReplicasDropped e) {
    return Printable.of(e.key())
        + (e.objectGone() ? " is gone" : " lost " + replicas(e.replicaIds()))
        + ": "
        + e.reason().text()
        + (e.objectGone() ? "; " + replicas(e.replicaIds()) : "")
        + (e.quarantineUntilMs() == 0
            ? "; no quarantine"
            : "; ranges in quarantine until log time " + e.quarantineUntilMs() + " ms");
  }

  private static String mounted(Event.SegmentMounted e) {
    SegmentInfo info = e.segment();
    return "segment "
        + Printable.quoted(info.name())
        + " mounted by client "
        + e.clientId()
        + " as mount "
        + e.segmentNumber()
        + ": "
        + plural(info.sizeBytes(), "byte")
        + " at 0x"
        + Long.toHexString(info.base())
        + ", endpoint "
        + Printable.quoted(info.teEndpoint())
        + ", protocol "
        + WireText.display(info.protocol())
        + ", id "
        + info.id();
  }

  private static String pinAction(SoftPinAction action, long ttlMs) {
    return switch (action) {
      case PRESERVE -> "";
      case ENABLE -> "; soft pin of " + ttlMs + " ms once complete";
      case DISABLE -> "; no soft pin once complete";
    };
  }

  private static String pin(OptionalLong deadlineMs) {
    return deadlineMs.isPresent()
        ? "soft pin until log time " + deadlineMs.getAsLong() + " ms"
        : "no soft pin";
  }

  private static String replicas(long[] ids) {
    return (ids.length == 1 ? "replica " : "replicas ") + ids(ids);
  }

  private static String ids(long[] ids) {
    return Arrays.stream(ids).mapToObj(Long::toString).collect(Collectors.joining(", "));
  }

  /** A number with its noun. */
  static String plural(long count, String noun) {
    return Long.toUnsignedString(count) + " " + noun + (count == 1 ? "" : "s");
  }

  /** A digest or hash as 16 hexadecimal digits. */
  static String digest(long value) {
    return String.format("%016x", value);
  }
}
