package io.tidemark.tools;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.SegmentInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Segments as mounted at one point of the log, and which of their owners are silent. */
final class Mounts {

  /**
   * A mount.
   *
   * @param leaving why it is being unmounted; {@link Reason#NONE} while it is not
   */
  record Mount(int number, SegmentInfo info, Uuid owner, Reason leaving) {
    boolean isLeaving() {
      return leaving != Reason.NONE;
    }
  }

  private final Map<Integer, Mount> byNumber = new HashMap<>();
  private final Set<Uuid> suspected = new HashSet<>();

  /** Follows an event; those that do not concern segments change nothing. */
  void apply(Event event) {
    if (event instanceof Event.SegmentMounted e) {
      byNumber.put(
          e.segmentNumber(), new Mount(e.segmentNumber(), e.segment(), e.clientId(), Reason.NONE));
    } else if (event instanceof Event.SegmentUnmounting e) {
      byNumber.computeIfPresent(
          e.segmentNumber(),
          (number, mount) -> new Mount(number, mount.info(), mount.owner(), e.reason()));
    } else if (event instanceof Event.SegmentUnmounted e) {
      byNumber.remove(e.segmentNumber());
    } else if (event instanceof Event.ClientChanged e) {
      if (e.state() == ClientState.SUSPECTED) {
        suspected.add(e.clientId());
      } else {
        suspected.remove(e.clientId());
      }
    }
  }

  /** The mount of a number, or null if it is not mounted. */
  Mount get(int number) {
    return byNumber.get(number);
  }

  /** Whether ranges of a mount are still the store's. */
  boolean isValid(int number) {
    Mount mount = byNumber.get(number);
    return mount != null && !mount.isLeaving();
  }

  /** Whether readers are shown what lies on a mount. */
  boolean isReadable(int number) {
    return isValid(number) && !suspected.contains(byNumber.get(number).owner());
  }

  /** A segment in words, for example {@code segment "host1" (mount 3)}. */
  String name(int number) {
    Mount mount = byNumber.get(number);
    return mount == null
        ? "mount " + number
        : "segment " + Printable.quoted(mount.info().name()) + " (mount " + number + ")";
  }

  /** Where a replica lies, in words. */
  String place(PlacedReplica replica) {
    Mount mount = byNumber.get(replica.segmentNumber());
    String address =
        mount == null
            ? "offset " + replica.offsetBytes()
            : "0x" + Long.toHexString(mount.info().base() + replica.offsetBytes());
    return name(replica.segmentNumber()) + " at " + address;
  }
}
