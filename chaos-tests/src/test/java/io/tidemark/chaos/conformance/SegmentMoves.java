package io.tidemark.chaos.conformance;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.SegmentInfo;
import java.util.ArrayList;
import java.util.List;

/** Calls about segments and clients, legal and not. */
final class SegmentMoves {
  private static final long NEVER_MS = 3_600_000;

  private final Cast cast;
  private final Dice dice;

  SegmentMoves(Cast cast) {
    this.cast = cast;
    this.dice = cast.dice;
  }

  /** Mounts one new segment of a client. */
  Step.Call mountNew(int owner) {
    SegmentInfo segment = cast.newSegment(owner);
    cast.mounted(segment, owner);
    return new Step.Call(owner, new Request.MountSegment(segment, cast.client(owner)));
  }

  /** Makes a client alive with what it has mounted. */
  Step.Call remount(int owner) {
    List<SegmentInfo> own = cast.segmentsOf(owner).stream().map(Cast.Mounted::info).toList();
    return new Step.Call(owner, new Request.ReMountSegment(own, cast.client(owner)));
  }

  Step.Call ping(int client) {
    return new Step.Call(client, new Request.Ping(cast.client(client)));
  }

  /**
   * Anything about segments that leaves memory where it is.
   *
   * @param mounts whether mounts and remounts are among it: whether a refused mount or a remount of
   *     a living client is a sign of life is not the same for both masters
   */
  Step.Call harmless(boolean mounts) {
    if (!mounts) {
      return ping(cast.anyClient());
    }
    return dice.weighted(
        List.of(
            new Dice.Weighted<>(4, () -> ping(cast.anyClient())),
            new Dice.Weighted<>(2, this::mountAgain),
            new Dice.Weighted<>(2, this::mountShapeless),
            new Dice.Weighted<>(1, this::mountOfAnother),
            new Dice.Weighted<>(1, this::mountChanged),
            new Dice.Weighted<>(2, () -> remount(cast.anyLender())),
            new Dice.Weighted<>(1, this::remountChanged),
            new Dice.Weighted<>(1, this::remountNothing),
            new Dice.Weighted<>(1, this::unmountUnknown),
            new Dice.Weighted<>(2, this::gracefulOfAnother)));
  }

  /** A mount or unmount. */
  Step.Call change() {
    int owner = cast.anyLender();
    boolean grow = cast.segments.size() < 3 || cast.segments.size() < 6 && dice.oneIn(2);
    if (grow) {
      return mountNew(owner);
    }
    Cast.Mounted leaving = dice.of(List.copyOf(cast.segments.values()));
    Uuid id = leaving.info().id();
    boolean graceful = leaving.allocatable() && dice.oneIn(3);
    if (graceful) {
      cast.stopAllocating(id);
      return new Step.Call(
          leaving.owner(),
          new Request.GracefulUnmountSegment(id, cast.client(leaving.owner()), NEVER_MS));
    }
    cast.unmounted(id);
    return new Step.Call(
        leaving.owner(), new Request.UnmountSegment(id, cast.client(leaving.owner())));
  }

  /** An unmount by somebody who does not own the segment. */
  Step.Call unmountOfAnother() {
    Cast.Mounted victim = dice.of(List.copyOf(cast.segments.values()));
    cast.unmounted(victim.info().id());
    int thief = (victim.owner() + 1) % Cast.CLIENTS;
    return new Step.Call(thief, new Request.UnmountSegment(victim.info().id(), cast.client(thief)));
  }

  private Step.Call mountAgain() {
    if (cast.segments.isEmpty()) {
      return ping(cast.anyClient());
    }
    Cast.Mounted known = dice.of(List.copyOf(cast.segments.values()));
    return new Step.Call(
        known.owner(), new Request.MountSegment(known.info(), cast.client(known.owner())));
  }

  private Step.Call mountOfAnother() {
    if (cast.segments.isEmpty()) {
      return ping(cast.anyClient());
    }
    Cast.Mounted known = dice.of(List.copyOf(cast.segments.values()));
    return new Step.Call(
        Cast.STRANGER, new Request.MountSegment(known.info(), cast.client(Cast.STRANGER)));
  }

  private Step.Call mountChanged() {
    if (cast.segments.isEmpty()) {
      return ping(cast.anyClient());
    }
    Cast.Mounted known = dice.of(List.copyOf(cast.segments.values()));
    SegmentInfo smaller = with(known.info(), known.info().base(), known.info().sizeBytes() / 2);
    return new Step.Call(
        known.owner(), new Request.MountSegment(smaller, cast.client(known.owner())));
  }

  private Step.Call mountShapeless() {
    int owner = cast.anyClient();
    SegmentInfo fine = cast.newSegment(owner);
    boolean noBase = dice.oneIn(2);
    SegmentInfo bad = with(fine, noBase ? 0 : fine.base(), noBase ? fine.sizeBytes() : 0);
    return new Step.Call(owner, new Request.MountSegment(bad, cast.client(owner)));
  }

  private Step.Call remountChanged() {
    int owner = cast.anyLender();
    List<SegmentInfo> own =
        new ArrayList<>(cast.segmentsOf(owner).stream().map(Cast.Mounted::info).toList());
    if (own.isEmpty()) {
      return remount(owner);
    }
    SegmentInfo first = own.get(0);
    own.set(0, with(first, first.base(), first.sizeBytes() / 2));
    return new Step.Call(owner, new Request.ReMountSegment(own, cast.client(owner)));
  }

  private Step.Call remountNothing() {
    int client = cast.anyClient();
    return new Step.Call(client, new Request.ReMountSegment(List.of(), cast.client(client)));
  }

  private Step.Call unmountUnknown() {
    int client = cast.anyClient();
    Uuid unknown = new Uuid(dice.nextLong(), 77);
    return new Step.Call(client, new Request.UnmountSegment(unknown, cast.client(client)));
  }

  private Step.Call gracefulOfAnother() {
    int client = cast.anyClient();
    List<Cast.Mounted> others =
        cast.segments.values().stream().filter(s -> s.owner() != client).toList();
    Uuid id = others.isEmpty() ? new Uuid(1, 78) : dice.of(others).info().id();
    return new Step.Call(
        client, new Request.GracefulUnmountSegment(id, cast.client(client), NEVER_MS));
  }

  private static SegmentInfo with(SegmentInfo segment, long base, long sizeBytes) {
    return new SegmentInfo(
        segment.id(),
        segment.name(),
        base,
        sizeBytes,
        segment.teEndpoint(),
        segment.protocol(),
        segment.hostId());
  }
}
