package io.tidemark.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A Start that was acknowledged keeps its memory through a kill -9 until the logged timeout
 * (COR-09).
 */
@RealProcesses
class ReservedRangeTest {
  private static final long SEGMENT_BYTES = 1 << 20;
  private static final long MORE_THAN_HALF = 700_000;
  private static final int RELEASE_SEC = 5;
  private static final int QUARANTINE_SEC = 2;
  private static final Duration LATEST = Duration.ofSeconds(40);
  private static final Uuid FIRST = new Uuid(0xF1, 1);
  private static final Uuid SECOND = new Uuid(0xF1, 2);

  @Test
  void theMemoryOfAnUnfinishedWriteIsGivenOutOnlyAfterItsTimeout(Evidence evidence)
      throws Exception {
    MasterProcess master =
        MasterProcess.start(
            evidence,
            "master",
            MasterProgram.TIDEMARK,
            Host.LOOPBACK,
            Map.of(
                "put_start_discard_timeout_sec", "2",
                "put_start_release_timeout_sec", Integer.toString(RELEASE_SEC),
                "writer_quarantine_sec", Integer.toString(QUARANTINE_SEC)));
    long acknowledged;
    try (MasterConnection connection = connect(master)) {
      SegmentInfo segment =
          new SegmentInfo(
              new Uuid(0xF1, 3), "only", 1 << 20, SEGMENT_BYTES, "127.0.0.1:18998", "tcp", "");
      assertThat(connection.call(new Request.MountSegment(segment, FIRST))).isEqualTo(Reply.OK);
      assertThat(isOk(connection.call(start(FIRST, "unfinished")))).isTrue();
      acknowledged = System.nanoTime();
    }
    master.kill();
    master.start();
    try (MasterConnection connection = connect(master)) {
      assertThat(connection.call(start(SECOND, "other")))
          .isEqualTo(Reply.error(ErrorCode.NO_AVAILABLE_HANDLE));
      assertThat(
              connection.call(
                  new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "unfinished", "default")))
          .isEqualTo(Reply.error(ErrorCode.REPLICA_IS_NOT_READY));
      Await.until(
          "the memory is given out", LATEST, () -> isOk(connection.call(start(SECOND, "other"))));
      long heldMs = (System.nanoTime() - acknowledged) / 1_000_000;
      assertThat(heldMs).isGreaterThan((RELEASE_SEC + QUARANTINE_SEC) * 1_000L - 200);
    }
  }

  private static MasterConnection connect(MasterProcess master) throws Exception {
    String[] hostAndPort = master.address().split(":", 2);
    return MasterConnection.open(
        new InetSocketAddress(hostAndPort[0], Integer.parseInt(hostAndPort[1])),
        ClientOptions.DEFAULT);
  }

  private static Request start(Uuid client, String key) {
    return new Request.WriteStart(
        Rpc.PUT_START, client, key, MORE_THAN_HALF, ReplicateConfig.DEFAULT, "default");
  }

  private static boolean isOk(Reply reply) {
    return reply instanceof Reply.One one && one.result().isOk();
  }
}
