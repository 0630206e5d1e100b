package io.tidemark.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Input that no well-behaved client sends, to a live master with a well-behaved client on it. */
@RealProcesses
class BadInputTest {
  private static final String TENANT = "default";
  private static final Uuid CLIENT = new Uuid(0xBAD, 1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Request EXISTS = new Request.ExistKey(Rpc.EXIST_KEY, "key", TENANT);

  private MasterProcess master;

  private Neighbour start(Evidence evidence) throws Exception {
    master =
        MasterProcess.start(evidence, "master", MasterProgram.TIDEMARK, Host.LOOPBACK, Map.of());
    Neighbour neighbour = evidence.own(new Neighbour(address()));
    return neighbour;
  }

  private InetSocketAddress address() {
    String[] hostAndPort = master.address().split(":", 2);
    return new InetSocketAddress(hostAndPort[0], Integer.parseInt(hostAndPort[1]));
  }

  private MasterConnection connect() throws Exception {
    return MasterConnection.open(address(), ClientOptions.DEFAULT);
  }

  private String metrics() throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + master.metricsPort() + "/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }

  @Test
  void whatIsNotUnderstoodIsRefusedAndCountedAndTheConnectionGoesOn(Evidence evidence)
      throws Exception {
    Neighbour neighbour = start(evidence);
    byte[] good = BadFrames.good(EXISTS, 7);
    try (RawConnection raw = new RawConnection(address())) {
      raw.send(BadFrames.withFunction(good, 0x01020304));
      RawConnection.Answer unknown = raw.answer();
      assertThat(unknown.errorCode()).isEqualTo(11);
      assertThat(unknown.seq()).isEqualTo(7);
      assertThat(unknown.text()).endsWith("the rpc function not registered");
      for (byte[] bad :
          List.of(
              BadFrames.withWrongHash(good),
              BadFrames.truncated(good, 3),
              BadFrames.truncated(good, good.length - 22),
              BadFrames.withAbsurdCount(
                  BadFrames.good(new Request.BatchQueryIp(List.of(CLIENT)), 8)))) {
        raw.send(bad);
        RawConnection.Answer refused = raw.answer();
        assertThat(refused.errorCode()).isEqualTo(4);
        assertThat(refused.text()).endsWith("invalid rpc arg");
      }
      raw.send(good);
      assertThat(raw.answer().errorCode()).isZero();
    }
    assertThat(metrics())
        .containsPattern("tidemark_rpc_refused_total\\{[^}]*ExistKey[^}]*} [1-9]")
        .containsPattern("tidemark_rpc_refused_total\\{[^}]*BatchQueryIp[^}]*} [1-9]");
    neighbour.requireUnharmed(PATIENCE);
  }

  @Test
  void whatIsNoRequestAtAllClosesOnlyItsOwnConnection(Evidence evidence) throws Exception {
    Neighbour neighbour = start(evidence);
    byte[] good = BadFrames.good(EXISTS, 1);
    for (byte[] bad :
        List.of(
            BadFrames.withByte(good, 0, 'G'),
            BadFrames.withByte(good, 1, 1),
            BadFrames.withByte(good, 2, 1),
            BadFrames.headerOnly(good, Integer.MAX_VALUE),
            BadFrames.headerOnly(good, -1))) {
      try (RawConnection raw = new RawConnection(address())) {
        raw.send(bad);
        assertThat(raw.isClosedByMaster()).as(Arrays.toString(bad)).isTrue();
      }
    }
    neighbour.requireUnharmed(PATIENCE);
  }

  @Test
  void aHundredThousandKeysInABatchAreServed(Evidence evidence) throws Exception {
    Neighbour neighbour = start(evidence);
    List<String> keys = new ArrayList<>();
    long[] sizes = new long[100_000];
    Arrays.fill(sizes, 64);
    for (int i = 0; i < sizes.length; i++) {
      keys.add("bulk/" + i);
    }
    try (MasterConnection connection = connect()) {
      Request start =
          new Request.BatchWriteStart(
              Rpc.BATCH_PUT_START, CLIENT, keys, sizes, ReplicateConfig.DEFAULT, TENANT);
      assertAllOk(connection.call(start), sizes.length);
      List<OptionalLong> checksums = keys.stream().map(key -> OptionalLong.empty()).toList();
      Request end =
          new Request.BatchWriteEnd(
              Rpc.BATCH_PUT_END, CLIENT, keys, checksums, ReplicaType.MEMORY, TENANT);
      assertAllOk(connection.call(end), sizes.length);
      Request exists = new Request.BatchExistKey(Rpc.BATCH_EXIST_KEY, keys, TENANT, 0, 0);
      Reply.Many found = (Reply.Many) connection.call(exists);
      assertThat(found.results()).hasSize(sizes.length).allMatch(Result.ok(true)::equals);
      Request get = new Request.BatchGetReplicaList(Rpc.BATCH_GET_REPLICA_LIST, keys, TENANT);
      assertAllOk(connection.call(get), sizes.length);
      assertAllOk(connection.call(new Request.BatchRemove(keys, true, TENANT)), sizes.length);
    }
    neighbour.requireUnharmed(PATIENCE);
  }

  private static void assertAllOk(Reply reply, int count) {
    Reply.Many many = (Reply.Many) reply;
    assertThat(many.results()).hasSize(count);
    assertThat(many.results().stream().allMatch(Result::isOk)).isTrue();
  }

  @Test
  void keysAreBytesOfAnyKindAndLengthButNotNone(Evidence evidence) throws Exception {
    Neighbour neighbour = start(evidence);
    try (MasterConnection connection = connect()) {
      for (String key : List.of("\u0000", "\u00ff\u00fe\u0080", "k".repeat(64 * 1024))) {
        assertThat(connection.call(put(key, 10))).isNotEqualTo(invalid());
        assertThat(connection.call(end(key))).isEqualTo(Reply.OK);
        assertThat(connection.call(new Request.ExistKey(Rpc.EXIST_KEY, key, TENANT)))
            .isEqualTo(Reply.ok(true));
        assertThat(connection.call(new Request.Remove(key, true, TENANT))).isEqualTo(Reply.OK);
      }
      assertThat(connection.call(put("", 10))).isEqualTo(invalid());
      assertThat(connection.call(put("empty", 0))).isEqualTo(invalid());
      assertThat(connection.call(put("endless", -1)))
          .isEqualTo(Reply.error(ErrorCode.NO_AVAILABLE_HANDLE));
      assertThat(connection.call(end("never-started")))
          .isEqualTo(Reply.error(ErrorCode.OBJECT_NOT_FOUND));
    }
    neighbour.requireUnharmed(PATIENCE);
  }

  private static Request put(String key, long size) {
    return new Request.WriteStart(
        Rpc.PUT_START, CLIENT, key, size, ReplicateConfig.DEFAULT, TENANT);
  }

  private static Request end(String key) {
    return new Request.WriteEnd(
        Rpc.PUT_END, CLIENT, key, OptionalLong.empty(), ReplicaType.MEMORY, TENANT);
  }

  private static Reply invalid() {
    return Reply.error(ErrorCode.INVALID_PARAMS);
  }

  @Test
  void segmentsThatWrapOrOverlapTheirOwnersMemoryAreRefused(Evidence evidence) throws Exception {
    Neighbour neighbour = start(evidence);
    try (MasterConnection connection = connect()) {
      assertThat(connection.call(mount(1, 0x1000, 0x10_0000))).isEqualTo(Reply.OK);
      assertThat(connection.call(mount(2, 0x1000 + 0x8_0000, 0x10_0000))).isEqualTo(invalid());
      assertThat(connection.call(mount(3, 0x1000, 0x10))).isEqualTo(invalid());
      assertThat(connection.call(mount(4, -0x1000, 0x10_0000))).isEqualTo(invalid());
      assertThat(connection.call(mount(5, 0, 0x10_0000))).isEqualTo(invalid());
      assertThat(connection.call(mount(6, 0x80_0000, 0))).isEqualTo(invalid());
      assertThat(connection.call(mount(1, 0x1000, 0x20_0000))).isEqualTo(invalid());
      assertThat(connection.call(mount(7, 0x1000 + 0x10_0000, 0x10_0000))).isEqualTo(Reply.OK);
    }
    neighbour.requireUnharmed(PATIENCE);
  }

  private static Request mount(int number, long base, long sizeBytes) {
    return new Request.MountSegment(
        new SegmentInfo(
            new Uuid(0xBAD, number), "bad-host", base, sizeBytes, "bad-host:1", "tcp", ""),
        CLIENT);
  }

  @Test
  void aPatternThatExplodesOrMeetsALongKeyStallsNobody(Evidence evidence) throws Exception {
    Neighbour neighbour = start(evidence);
    try (MasterConnection connection =
        MasterConnection.open(address(), ClientOptions.DEFAULT.withCallTimeout(PATIENCE))) {
      String longKey = "long/" + "a".repeat(30_000);
      for (String key : List.of(longKey, "a".repeat(30) + "c")) {
        connection.call(put(key, 10));
        assertThat(connection.call(end(key))).isEqualTo(Reply.OK);
      }
      for (String pattern : List.of("(a+)+b$", ".*z", "(a|aa)+$", "long/(a*)*z")) {
        Reply reply = connection.call(new Request.GetReplicaListByRegex(pattern, TENANT));
        assertThat(((Reply.One) reply).result().isOk()).as(pattern).isTrue();
      }
      assertThat(connection.call(new Request.GetReplicaListByRegex("(a)\\1", TENANT)))
          .isEqualTo(invalid());
      assertThat(connection.call(new Request.RemoveByRegex("^long/a+$", true, TENANT)))
          .isEqualTo(Reply.ok(1L));
    }
    neighbour.requireUnharmed(PATIENCE);
  }
}
