package io.tidemark.chaos.ha;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.chaos.ha.FollowingCaller.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;

/** Lends memory, pings, follows every term with a remount, and lends one more segment at times. */
final class LoadLender extends LoadThread {
  private static final int PAUSE_MICROS = 100_000;
  private static final long SEGMENT_BYTES = 512L << 20;
  private static final int MOST_SEGMENTS = 24;
  private static final int PINGS_FOR_A_SEGMENT = 20;

  private final Uuid id = new Uuid(0x1E9D, 1);
  private final List<SegmentInfo> mounted = new CopyOnWriteArrayList<>();
  private int pings;

  LoadLender(FollowingCaller master, SplittableRandom random) {
    super("lender", master, random, PAUSE_MICROS);
  }

  /** Mounts two segments and joins, as a Mooncake client does. */
  void begin() throws IOException {
    mount();
    mount();
    join();
  }

  private void mount() throws IOException {
    int number = mounted.size();
    String endpoint = "127.0.0.1:" + (19_000 + number);
    SegmentInfo segment =
        new SegmentInfo(
            new Uuid(0x5E6, number + 1L),
            endpoint,
            0x2000_0000_0000L + number * 2 * SEGMENT_BYTES,
            SEGMENT_BYTES,
            endpoint,
            "tcp",
            "");
    require(master().decided(new Request.MountSegment(segment, id)));
    mounted.add(segment);
  }

  private void join() throws IOException {
    require(master().decided(new Request.ReMountSegment(List.copyOf(mounted), id)));
  }

  @Override
  void step() throws IOException {
    Answer answer = master().decided(new Request.Ping(id));
    require(answer);
    Reply.PingResponse pong = (Reply.PingResponse) answer.result().value();
    if (pong.clientStatus() == ClientStatus.NEED_REMOUNT) {
      join();
    } else if (++pings % PINGS_FOR_A_SEGMENT == 0 && mounted.size() < MOST_SEGMENTS) {
      mount();
    }
  }

  private static void require(Answer answer) {
    if (!answer.isOk()) {
      throw new IllegalStateException("a call of the lender was refused: " + answer);
    }
  }

  /** Segments whose mount was acknowledged and that a master does not have. */
  List<String> missing(FollowingCaller caller) throws IOException {
    List<String> missing = new ArrayList<>();
    for (SegmentInfo segment : mounted) {
      Result<?> result = caller.one(new Request.QuerySegmentStatusById(segment.id()));
      if (!result.equals(Result.ok(SegmentStatus.OK))) {
        missing.add(segment.name() + " was mounted and is " + result);
      }
    }
    return missing;
  }
}
