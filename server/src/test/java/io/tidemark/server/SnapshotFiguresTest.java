package io.tidemark.server;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.core.Origin;
import io.tidemark.server.snapshot.SnapshotRequests.Outcome;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of a snapshot and a restart with a million objects. Prints them, judges nothing. */
@Tag("long")
class SnapshotFiguresTest {
  private static final int OBJECTS = Integer.getInteger("tidemark.objects", 1_000_000);
  private static final int TAIL = 50_000;

  @TempDir Path directory;

  @Test
  void aMillionObjects() {
    SnapshotScene scene = SnapshotScene.start(directory);
    SegmentInfo segment =
        new SegmentInfo(new Uuid(7, 7), "m", 0x7f00_0000_0000L, 1L << 40, "h:1", "tcp", "");
    scene.call(new Request.MountSegment(segment, SnapshotScene.CLIENT));
    put(scene, 0, OBJECTS);
    long begin = System.nanoTime();
    Outcome taken = scene.snapshot();
    System.out.printf(
        "snapshot of %d objects: %d bytes, %d ms with reading back, %.1f MB/s, %.1f bytes an object%n",
        taken.objects(),
        taken.bytes(),
        taken.millis(),
        taken.bytes() / 1e6 / (millisSince(begin) / 1e3),
        (double) taken.bytes() / taken.objects());
    put(scene, OBJECTS, OBJECTS + TAIL);
    begin = System.nanoTime();
    scene.crash();
    System.out.printf("closed in %d ms%n", millisSince(begin));
    begin = System.nanoTime();
    try (SnapshotScene again = SnapshotScene.start(directory)) {
      System.out.printf(
          "started on the whole log (%d entries) and the snapshot in %d ms: %d objects%n",
          again.master().view().logEnd().index(),
          millisSince(begin),
          again.master().view().objectCount());
      put(again, OBJECTS + TAIL, OBJECTS + TAIL + 1);
      again.snapshot();
      System.out.printf(
          "log behind the older snapshot begins at %d%n",
          again.started.opened().log().base().index());
      put(again, OBJECTS + TAIL + 1, OBJECTS + 2 * TAIL);
      again.crash();
    }
    begin = System.nanoTime();
    try (SnapshotScene third = SnapshotScene.start(directory)) {
      System.out.printf(
          "started on the trimmed log and the snapshot in %d ms: %d objects%n",
          millisSince(begin), third.master().view().objectCount());
    }
  }

  private static void put(SnapshotScene scene, int from, int to) {
    for (int i = from; i < to; i++) {
      String key = "0123456789abcdef0123456789-" + i;
      submit(
          scene,
          new Request.WriteStart(
              Rpc.PUT_START,
              SnapshotScene.CLIENT,
              key,
              1024,
              ReplicateConfig.DEFAULT,
              SnapshotScene.TENANT));
      submit(
          scene,
          new Request.WriteEnd(
              Rpc.PUT_END,
              SnapshotScene.CLIENT,
              key,
              OptionalLong.empty(),
              ReplicaType.MEMORY,
              SnapshotScene.TENANT));
    }
  }

  private static void submit(SnapshotScene scene, Request request) {
    scene.master().submit(request, new Origin(1), reply -> {});
  }

  private static long millisSince(long begin) {
    return (System.nanoTime() - begin) / 1_000_000;
  }
}
