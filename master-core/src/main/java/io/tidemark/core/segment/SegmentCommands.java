package io.tidemark.core.segment;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.EventSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides and runs the calls about segments and clients (segments specification, sections 2 and 5,
 * with v0.3.14's answers; COR-12, COR-23).
 *
 * <p>Called by the holder of the core role.
 */
public final class SegmentCommands {
  /** Longest text that a segment may carry in a member, so that an event always fits an entry. */
  static final int MAX_TEXT_BYTES = 16 * 1024;

  private final SegmentTable segments;
  private final AllocatorKind allocatorKind;
  private final EventSink sink;
  private final UnmountListener unmounts;

  /** Told about each mount that starts unmounting, within the same batch. */
  @FunctionalInterface
  public interface UnmountListener {
    void unmounting(MountedSegment segment, Reason reason);
  }

  public SegmentCommands(
      SegmentTable segments,
      AllocatorKind allocatorKind,
      EventSink sink,
      UnmountListener unmounts) {
    this.segments = segments;
    this.allocatorKind = allocatorKind;
    this.sink = sink;
    this.unmounts = unmounts;
  }

  // ---- mount

  /** MountSegment. A mount does not make the client alive in the sense of Ping; a remount does. */
  public Reply mount(Request.MountSegment call, long nowMs) {
    Optional<ErrorCode> refused = checkMount(call.segment(), call.clientId(), false);
    if (refused.isPresent()) {
      stillThere(call.clientId(), nowMs);
      return Reply.error(refused.get());
    }
    heard(call.clientId(), nowMs);
    if (segments.byId(call.segment().id()) == null) {
      takeOverEndpoint(call.segment(), call.clientId());
      sink.add(new Event.SegmentMounted(segments.nextNumber(), call.segment(), call.clientId()));
      learnHost(call.clientId(), call.segment().hostId());
    }
    return Reply.OK;
  }

  /** ReMountSegment: all or nothing; on success the client is alive. An empty list is legal. */
  public Reply remount(Request.ReMountSegment call, long nowMs) {
    for (SegmentInfo segment : call.segments()) {
      Optional<ErrorCode> refused = checkMount(segment, call.clientId(), true);
      if (refused.isPresent()) {
        return Reply.error(refused.get());
      }
    }
    heard(call.clientId(), nowMs);
    for (SegmentInfo segment : call.segments()) {
      if (segments.byId(segment.id()) == null) {
        takeOverEndpoint(segment, call.clientId());
        sink.add(new Event.SegmentMounted(segments.nextNumber(), segment, call.clientId()));
      }
    }
    ClientRecord client = segments.client(call.clientId());
    if (client.state() != ClientState.ACTIVE) {
      sink.add(new Event.ClientChanged(call.clientId(), ClientState.ACTIVE, Reason.RETURNED));
    }
    client.remounted();
    call.segments().stream()
        .map(SegmentInfo::hostId)
        .filter(host -> !host.isEmpty())
        .findFirst()
        .ifPresent(host -> learnHost(call.clientId(), host));
    return Reply.OK;
  }

  /**
   * Why a segment can't be mounted by a client; empty also if it is mounted already, just so.
   *
   * <p>Of a segment that is on its way out, a mount is told that first, a remount whose it is; a
   * remount of a client that is alive is not told it at all.
   */
  private Optional<ErrorCode> checkMount(SegmentInfo segment, Uuid clientId, boolean remount) {
    boolean wraps =
        Long.compareUnsigned(segment.base() + segment.sizeBytes() - 1, segment.base()) < 0;
    boolean shapeless =
        segment.base() == 0 || segment.sizeBytes() <= 0 || wraps || hasLongText(segment);
    if (shapeless || isMisaligned(segment)) {
      return Optional.of(ErrorCode.INVALID_PARAMS);
    }
    MountedSegment mounted = segments.byId(segment.id());
    if (mounted == null) {
      return overlapsOwn(segment, clientId)
          ? Optional.of(ErrorCode.INVALID_PARAMS)
          : Optional.empty();
    }
    boolean same = mounted.clientId().equals(clientId) && mounted.info().equals(segment);
    if (!same && (remount || mounted.status() == SegmentStatus.OK)) {
      return Optional.of(ErrorCode.INVALID_PARAMS);
    }
    boolean usable = mounted.status() == SegmentStatus.OK || remount && isAlive(clientId);
    return usable ? Optional.empty() : Optional.of(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
  }

  /** Whether Ping answers OK: the client has remounted in this term and is not suspected. */
  private boolean isAlive(Uuid clientId) {
    ClientRecord client = segments.client(clientId);
    return client != null && client.state() == ClientState.ACTIVE && client.isRemountedThisTerm();
  }

  private boolean isMisaligned(SegmentInfo segment) {
    return allocatorKind == AllocatorKind.CACHELIB
        && (segment.base() % Placement.CACHELIB_SLAB_BYTES != 0
            || segment.sizeBytes() % Placement.CACHELIB_SLAB_BYTES != 0);
  }

  private static boolean hasLongText(SegmentInfo segment) {
    return segment.name().length() > MAX_TEXT_BYTES
        || segment.teEndpoint().length() > MAX_TEXT_BYTES
        || segment.protocol().length() > MAX_TEXT_BYTES
        || segment.hostId().length() > MAX_TEXT_BYTES;
  }

  /** The same memory of one process lent twice would be handed out twice. */
  private boolean overlapsOwn(SegmentInfo segment, Uuid clientId) {
    for (MountedSegment other : segments.snapshot()) {
      boolean sameMemory =
          other.clientId().equals(clientId)
              && other.isValid()
              && !segment.teEndpoint().isEmpty()
              && other.info().teEndpoint().equals(segment.teEndpoint());
      if (sameMemory && overlap(segment, other.info())) {
        return true;
      }
    }
    return false;
  }

  private static boolean overlap(SegmentInfo a, SegmentInfo b) {
    return Long.compareUnsigned(a.base(), b.base() + b.sizeBytes() - 1) <= 0
        && Long.compareUnsigned(b.base(), a.base() + a.sizeBytes() - 1) <= 0;
  }

  /**
   * COR-12: a silent client whose endpoint somebody else mounts is gone; its memory is another
   * process's now.
   */
  private void takeOverEndpoint(SegmentInfo segment, Uuid clientId) {
    if (segment.teEndpoint().isEmpty()) {
      return;
    }
    for (MountedSegment other : segments.snapshot()) {
      boolean sameEndpoint =
          !other.clientId().equals(clientId)
              && other.info().teEndpoint().equals(segment.teEndpoint());
      ClientRecord owner = sameEndpoint ? segments.client(other.clientId()) : null;
      if (owner != null && (owner.state() == ClientState.SUSPECTED || !owner.isHeardThisTerm())) {
        expire(owner.id(), Reason.ENDPOINT_TAKEN_OVER);
      }
    }
  }

  /** A refused mount, too, is a sign of life of a client that is known and not suspected. */
  private void stillThere(Uuid clientId, long nowMs) {
    ClientRecord client = segments.client(clientId);
    if (client != null && client.state() != ClientState.SUSPECTED) {
      client.heard(nowMs);
    }
  }

  private void heard(Uuid clientId, long nowMs) {
    ClientRecord client = segments.client(clientId);
    if (client == null) {
      sink.add(new Event.ClientChanged(clientId, ClientState.JOINING, Reason.RETURNED));
      client = segments.client(clientId);
    }
    client.heard(nowMs);
  }

  private void learnHost(Uuid clientId, String hostId) {
    ClientRecord client = segments.client(clientId);
    if (!hostId.isEmpty() && client != null && !client.hostId().equals(hostId)) {
      sink.add(new Event.HostIdLearned(clientId, hostId));
    }
  }

  // ---- unmount
  /** Records the release of a known client if that is news. */
  public void learnRelease(Uuid clientId, String release) {
    ClientRecord client = segments.client(clientId);
    if (client != null && !client.release().equals(release) && release.length() <= MAX_TEXT_BYTES) {
      sink.add(new Event.ClientReleaseLearned(clientId, release));
    }
  }

  // ----------------------------------------------------------------------------------------------------

  /** UnmountSegment: only by its owner (REQ-024); an unknown id is success. */
  public Reply unmount(Request.UnmountSegment call) {
    MountedSegment segment = segments.byId(call.segmentId());
    if (segment == null) {
      return Reply.OK;
    }
    if (!segment.clientId().equals(call.clientId())) {
      return Reply.error(ErrorCode.INVALID_PARAMS);
    }
    if (segment.status() == SegmentStatus.UNMOUNTING) {
      return Reply.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    }
    startUnmounting(segment, Reason.SEGMENT_UNMOUNTED);
    return Reply.OK;
  }

  /** GracefulUnmountSegment. */
  public Reply gracefulUnmount(Request.GracefulUnmountSegment call, long nowMs) {
    List<MountedSegment> own = segments.segmentsOf(call.clientId());
    if (own.isEmpty()) {
      return Reply.error(ErrorCode.SEGMENT_NOT_FOUND);
    }
    MountedSegment segment = segments.byId(call.segmentId());
    if (segment == null || !own.contains(segment)) {
      return Reply.error(ErrorCode.INVALID_PARAMS);
    }
    long deadlineMs = saturatingAdd(nowMs, call.gracePeriodMs());
    return switch (segment.status()) {
      case OK, DRAINING -> {
        sink.add(new Event.SegmentGraceStarted(segment.number(), deadlineMs));
        yield Reply.OK;
      }
      case GRACEFULLY_UNMOUNTING -> {
        if (deadlineMs < segment.graceDeadlineMs()) {
          sink.add(new Event.SegmentGraceStarted(segment.number(), deadlineMs));
        }
        yield Reply.OK;
      }
      default -> Reply.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    };
  }

  private static long saturatingAdd(long nowMs, long periodMs) {
    long sum = nowMs + periodMs;
    return periodMs < 0 || sum < nowMs ? Long.MAX_VALUE : sum;
  }

  private void startUnmounting(MountedSegment segment, Reason reason) {
    sink.add(new Event.SegmentUnmounting(segment.number(), reason));
    unmounts.unmounting(segment, reason);
  }

  // ---- liveness

  /** Ping: OK only after a remount in this term; a suspected client stays so until it remounts. */
  public Reply ping(Request.Ping call, long nowMs, long viewVersion) {
    ClientRecord client = segments.client(call.clientId());
    if (client != null) {
      client.heard(nowMs);
    }
    boolean alive = isAlive(call.clientId());
    ClientStatus status = alive ? ClientStatus.OK : ClientStatus.NEED_REMOUNT;
    return Reply.ok(new Reply.PingResponse(viewVersion, status));
  }

  /** How long clients may be silent. */
  public record Patience(long activeTtlMs, long suspicionTtlMs, long reclaimTimeoutMs) {}

  /**
   * Judges every client and every graceful unmount at log time {@code nowMs}.
   *
   * <p>An owner that this term has not heard keeps its logged state and is given {@code
   * reclaimTimeoutMs} (COR-23); one that was heard is SUSPECTED after the active TTL and OFFLINE
   * after the suspicion TTL on top.
   */
  public void judge(Patience patience, long nowMs) {
    for (ClientRecord client : new ArrayList<>(segments.clients())) {
      long silentMs = nowMs - client.lastHeardMs();
      if (!client.isHeardThisTerm()) {
        if (silentMs > patience.reclaimTimeoutMs()) {
          expire(client.id(), Reason.CLIENT_EXPIRED);
        }
      } else if (silentMs > patience.activeTtlMs() + patience.suspicionTtlMs()) {
        expire(client.id(), Reason.CLIENT_EXPIRED);
      } else if (silentMs > patience.activeTtlMs() && client.state() != ClientState.SUSPECTED) {
        sink.add(new Event.ClientChanged(client.id(), ClientState.SUSPECTED, Reason.SILENT));
      }
    }
    for (MountedSegment segment : segments.snapshot()) {
      if (segment.status() == SegmentStatus.GRACEFULLY_UNMOUNTING
          && segment.graceDeadlineMs() <= nowMs) {
        startUnmounting(segment, Reason.SEGMENT_GRACE_ENDED);
      }
    }
  }

  /** Whether {@link #judge} would do anything; a cheap look before a command is made. */
  public boolean isAnythingDue(Patience patience, long nowMs) {
    for (ClientRecord client : segments.clients()) {
      long silentMs = nowMs - client.lastHeardMs();
      long limitMs =
          !client.isHeardThisTerm()
              ? patience.reclaimTimeoutMs()
              : client.state() == ClientState.SUSPECTED
                  ? patience.activeTtlMs() + patience.suspicionTtlMs()
                  : patience.activeTtlMs();
      if (silentMs > limitMs) {
        return true;
      }
    }
    return segments.snapshot().stream()
        .anyMatch(
            segment ->
                segment.status() == SegmentStatus.GRACEFULLY_UNMOUNTING
                    && segment.graceDeadlineMs() <= nowMs);
  }

  /** A client is gone: its segments leave, it is forgotten. */
  private void expire(Uuid clientId, Reason reason) {
    for (MountedSegment segment : segments.segmentsOf(clientId)) {
      if (segment.isValid()) {
        startUnmounting(segment, reason);
      }
    }
    sink.add(new Event.ClientChanged(clientId, ClientState.OFFLINE, reason));
  }

  /** All segments leave and all clients are forgotten (COR-13). */
  public void dropEverything(Reason reason) {
    for (ClientRecord client : new ArrayList<>(segments.clients())) {
      expire(client.id(), reason);
    }
    for (MountedSegment segment : segments.snapshot()) {
      if (segment.isValid()) {
        startUnmounting(segment, reason);
      }
    }
  }
}
