package io.tidemark.server.ha;

import io.tidemark.api.Uuid;
import io.tidemark.api.ha.Member;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.core.FaultHandler;
import io.tidemark.core.Master;
import io.tidemark.core.MasterConfig;
import io.tidemark.core.Origin;
import io.tidemark.core.Replayer;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogOptions;
import io.tidemark.oplog.OpenedLog;
import io.tidemark.oplog.replication.ReplicatedLog;
import io.tidemark.oplog.replication.ReplicationCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Leads once for show: a master is promoted on a log in a folder of its own and serves some calls.
 * The classes that a promotion needs are loaded then; the first promotion of a process took half a
 * second longer without. Nothing of it touches the member's own log, state or cluster.
 */
final class Rehearsal {
  private static final String FOLDER = "rehearsal";
  private static final int MOST_ROUNDS = 100;
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final String TENANT = "default";
  private static final Uuid CLIENT = new Uuid(1, 1);
  private static final Origin ORIGIN = new Origin(1);

  private final Path folder;
  private int answers;

  private Rehearsal(Path folder) {
    this.folder = folder;
  }

  /**
   * Does it, on the calling thread, for half a second at most beside loading.
   *
   * @param place where a folder is made for it; what a process left there that was killed at it
   *     goes first
   * @return how many calls were answered
   * @throws UncheckedIOException if the folder can't be made or removed
   */
  static int run(Path place) {
    Path folder = place.resolve(FOLDER);
    try {
      delete(folder);
      try {
        Files.createDirectory(folder);
        Rehearsal rehearsal = new Rehearsal(folder);
        rehearsal.lead();
        return rehearsal.answers;
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void lead() {
    OpenedLog opened = ChronicleLog.open(LogOptions.defaults(folder.resolve("log")));
    try (ChronicleLog log = opened.log()) {
      Member self = new Member(opened.identity().node(), opened.identity().incarnation());
      log.acceptEpoch(1);
      ReplicatedLog.Parts parts =
          new ReplicatedLog.Parts(
              log, self, 1, 1, () -> false, new ReplicationCounters(), () -> {});
      serve(promote(new ReplicatedLog(parts, List.of(self))));
    }
  }

  private Master promote(ReplicatedLog log) {
    MasterConfig config = MasterConfig.defaults();
    Master.Ports ports =
        new Master.Ports(
            log,
            System::nanoTime,
            System::currentTimeMillis,
            bound -> ThreadLocalRandom.current().nextInt(bound),
            Runnable::run,
            new NoFaults());
    Master.Promotion promotion =
        new Master.Promotion(new Master.TermStart(CLIENT, false, false), 1, () -> false);
    Replayer state = new Replayer(AllocatorKind.OFFSET);
    return Master.promote(config, ports, promotion, state, this::answered);
  }

  private void serve(Master master) {
    SegmentInfo segment =
        new SegmentInfo(new Uuid(2, 2), "rehearsal", 1L << 40, 1L << 30, "rehearsal", "tcp", "");
    submit(master, new Request.MountSegment(segment, CLIENT));
    submit(master, new Request.ReMountSegment(List.of(segment), CLIENT));
    long end = System.nanoTime() + LONGEST_NANOS;
    for (int i = 0; i < MOST_ROUNDS && System.nanoTime() - end < 0; i++) {
      round(master, "key " + i);
    }
    master.tick();
    master.endTerm("the rehearsal is over");
  }

  private void round(Master master, String key) {
    submit(
        master,
        new Request.WriteStart(Rpc.PUT_START, CLIENT, key, 1000, ReplicateConfig.DEFAULT, TENANT));
    submit(
        master,
        new Request.WriteEnd(
            Rpc.PUT_END, CLIENT, key, OptionalLong.of(1), ReplicaType.MEMORY, TENANT));
    submit(master, new Request.Ping(CLIENT));
    submit(master, new Request.ExistKey(Rpc.EXIST_KEY, key, TENANT));
    submit(master, new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, TENANT));
    submit(master, new Request.Remove(key, true, TENANT));
  }

  private void submit(Master master, Request request) {
    master.submit(request, ORIGIN, this::answered);
  }

  private void answered(Reply reply) {
    answers++;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Nothing that goes wrong here matters. */
  private static final class NoFaults implements FaultHandler {
    @Override
    public void commandFailed(String command, RuntimeException broken) {}

    @Override
    public void termEnded(String why, Throwable cause) {}
  }
}
