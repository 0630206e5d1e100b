package io.tidemark.wire;

import static io.tidemark.wire.schema.WireProfile.MAIN;
import static io.tidemark.wire.schema.WireProfile.V0_3_10_POST2;
import static io.tidemark.wire.schema.WireProfile.V0_3_11_POST1;
import static io.tidemark.wire.schema.WireProfile.V0_3_12_POST1;
import static io.tidemark.wire.schema.WireProfile.V0_3_14;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.wire.schema.FunctionIds;
import io.tidemark.wire.schema.WireProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A client's release is found out from what it sends, and from nothing else. */
class ProfileDetectionTest {

  private static final Uuid CLIENT = new Uuid(11, 22);
  private static final Request EXIST = new Request.ExistKey(Rpc.EXIST_KEY, "k", "default");
  private static final Request GET =
      new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "k", "default");
  private static final Request PING = new Request.Ping(CLIENT);
  private static final Request READY = new Request.NoArguments(Rpc.SERVICE_READY);
  private static final Request PUT =
      new Request.WriteStart(Rpc.PUT_START, CLIENT, "k", 1, ReplicateConfig.DEFAULT, "default");

  private final ProfileRegistry registry = new ProfileRegistry();
  private final RequestDecoder decoder = new RequestDecoder();

  private WireProfile send(PeerProfile peer, Request request, WireProfile release) {
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(request, release, 1, true, out);
    DecodedRequest.Call call =
        (DecodedRequest.Call)
            decoder.decode(
                FunctionIds.of(request.rpc()),
                out.array(),
                Frames.REQUEST_HEADER,
                out.size() - Frames.REQUEST_HEADER,
                peer);
    return call.replyProfile();
  }

  private Set<WireProfile> candidatesAfter(Request request, WireProfile release) {
    PeerProfile peer = new ProfileRegistry().connection("10.0.0.1");
    send(peer, request, release);
    return peer.candidates();
  }

  @Test
  void aWriteTellsTheReleaseAtOnce() {
    Request upsert =
        new Request.WriteStart(
            Rpc.UPSERT_START, CLIENT, "k", 1, ReplicateConfig.DEFAULT, "default");
    Request batch =
        new Request.BatchWriteStart(
            Rpc.BATCH_PUT_START,
            CLIENT,
            List.of("k"),
            new long[] {1},
            ReplicateConfig.DEFAULT,
            "default");
    for (Request request : List.of(PUT, upsert, batch)) {
      for (WireProfile release : WireProfile.values()) {
        assertThat(candidatesAfter(request, release)).containsExactly(release);
      }
    }
  }

  @Test
  void aWriteEndTellsMainFromTheOneBefore() {
    Request end =
        new Request.WriteEnd(Rpc.PUT_END, CLIENT, "k", OptionalLong.empty(), 0, "default");
    assertThat(candidatesAfter(end, V0_3_10_POST2)).containsExactly(V0_3_10_POST2, V0_3_11_POST1);
    assertThat(candidatesAfter(end, V0_3_12_POST1)).containsExactly(V0_3_12_POST1);
    assertThat(candidatesAfter(end, MAIN)).containsExactly(MAIN, V0_3_14);
  }

  @Test
  void aBatchRevokeTellsTheOldestRelease() {
    Request revoke =
        new Request.BatchWriteRevoke(Rpc.BATCH_PUT_REVOKE, CLIENT, List.of("k"), 0, "default");
    assertThat(candidatesAfter(revoke, V0_3_10_POST2)).containsExactly(V0_3_10_POST2);
    assertThat(candidatesAfter(revoke, V0_3_11_POST1)).containsExactly(V0_3_11_POST1);
    assertThat(candidatesAfter(revoke, MAIN)).containsExactly(V0_3_12_POST1, MAIN, V0_3_14);
  }

  @Test
  void aKeyCallOrAMountTellsReleasesWithTenantsFromThoseWithout() {
    Request mount =
        new Request.MountSegment(new SegmentInfo(CLIENT, "n", 1, 2, "e", "tcp", "h"), CLIENT);
    for (Request request : List.of(EXIST, mount)) {
      assertThat(candidatesAfter(request, V0_3_11_POST1))
          .containsExactly(V0_3_10_POST2, V0_3_11_POST1);
      assertThat(candidatesAfter(request, V0_3_12_POST1)).contains(V0_3_12_POST1, MAIN);
    }
  }

  @Test
  void aTotalLengthOrANewCallMarksTheNewestRelease() {
    assertThat(candidatesAfter(PUT, V0_3_14)).containsExactly(V0_3_14);
    assertThat(candidatesAfter(PUT, MAIN)).containsExactly(MAIN);
    Request clear = new Request.BatchReplicaClear(List.of("k"), CLIENT, "s", "default");
    assertThat(candidatesAfter(clear, V0_3_14)).containsExactly(V0_3_14);
    Request probe = new Request.ExistKey(Rpc.PROBE_KEY, "k", "default");
    assertThat(candidatesAfter(probe, V0_3_14)).containsExactly(V0_3_14);
  }

  @Test
  void aReaderThatShowsNothingIsAnsweredByTheDefault() {
    PeerProfile peer = registry.connection("10.0.0.1");
    assertThat(send(peer, READY, V0_3_12_POST1)).isEqualTo(V0_3_14);
    assertThat(send(peer, GET, V0_3_12_POST1)).isEqualTo(MAIN);
    assertThat(registry.stats().ambiguousAnswers()).isEqualTo(1);
    ProfileRegistry older = new ProfileRegistry(V0_3_12_POST1, 10);
    assertThat(send(older.connection("10.0.0.1"), GET, MAIN)).isEqualTo(V0_3_12_POST1);
  }

  @Test
  void aReaderThatOnlyAnOlderReleaseFitsIsNeverAnsweredByTheDefault() {
    PeerProfile peer = registry.connection("10.0.0.1");
    assertThat(send(peer, GET, V0_3_10_POST2)).isEqualTo(V0_3_11_POST1);
  }

  @Test
  void aConnectionRemembersWhatItsWritesShowed() {
    for (WireProfile release : WireProfile.values()) {
      PeerProfile peer = registry.connection("10.0.0." + release.ordinal());
      send(peer, PUT, release);
      assertThat(send(peer, GET, release)).isEqualTo(release);
    }
    assertThat(registry.stats().ambiguousAnswers()).isZero();
  }

  @Test
  void aClientIdCarriesTheReleaseToItsOtherConnections() {
    send(registry.connection("10.0.0.1"), PUT, V0_3_12_POST1);
    PeerProfile other = registry.connection("10.0.0.2");
    send(other, PING, V0_3_12_POST1);
    assertThat(other.release()).contains(V0_3_12_POST1);
    assertThat(send(other, GET, V0_3_12_POST1)).isEqualTo(V0_3_12_POST1);
  }

  @Test
  void aClientIdIsLearntEvenIfItsPingCameFirst() {
    PeerProfile writer = registry.connection("10.0.0.1");
    send(writer, PING, V0_3_12_POST1);
    send(writer, PUT, V0_3_12_POST1);
    PeerProfile pinger = registry.connection("10.0.0.2");
    send(pinger, PING, V0_3_12_POST1);
    assertThat(pinger.release()).contains(V0_3_12_POST1);
  }

  @Test
  void aConnectionThatOnlyPingsLearnsOnceAnotherHasWritten() {
    PeerProfile pinger = registry.connection("10.0.0.2");
    send(pinger, PING, V0_3_11_POST1);
    assertThat(pinger.release()).isEmpty();
    send(registry.connection("10.0.0.1"), PUT, V0_3_11_POST1);
    send(pinger, PING, V0_3_11_POST1);
    assertThat(pinger.release()).contains(V0_3_11_POST1);
  }

  @Test
  void aHeartbeatThatIsNotServedIsStillAnsweredInTheFormOfItsClient() {
    send(registry.connection("10.0.0.1"), PUT, V0_3_11_POST1);
    WireBuffer out = new WireBuffer();
    DynamicCodec.encodeRequest(
        Rpc.OFFLOAD_OBJECT_HEARTBEAT,
        V0_3_11_POST1,
        List.of(TypedTrees.uuid(CLIENT), true),
        true,
        out);
    DecodedRequest.Call call =
        (DecodedRequest.Call)
            decoder.decode(
                FunctionIds.of(Rpc.OFFLOAD_OBJECT_HEARTBEAT),
                out.array(),
                0,
                out.size(),
                registry.connection("10.0.0.2"));
    assertThat(call.replyProfile()).isEqualTo(V0_3_11_POST1);
  }

  @Test
  void aReaderIsTakenForWhatTheOtherConnectionsOfItsAddressAre() {
    PeerProfile reader = registry.connection("10.0.0.1");
    assertThat(send(reader, GET, V0_3_12_POST1)).isEqualTo(MAIN);
    send(registry.connection("10.0.0.1"), PUT, V0_3_12_POST1);
    assertThat(send(reader, GET, V0_3_12_POST1)).isEqualTo(V0_3_12_POST1);
    assertThat(send(registry.connection("10.0.0.9"), GET, V0_3_12_POST1)).isEqualTo(MAIN);
  }

  @Test
  void severalReleasesBehindOneAddressTellNothing() {
    send(registry.connection("10.0.0.1"), PUT, V0_3_12_POST1);
    Request other =
        new Request.WriteStart(
            Rpc.PUT_START, new Uuid(3, 4), "k", 1, ReplicateConfig.DEFAULT, "default");
    PeerProfile second = registry.connection("10.0.0.1");
    send(second, other, V0_3_14);
    PeerProfile reader = registry.connection("10.0.0.1");
    assertThat(send(reader, GET, V0_3_12_POST1)).isEqualTo(MAIN);
    second.close();
    assertThat(send(reader, GET, V0_3_12_POST1)).isEqualTo(V0_3_12_POST1);
  }

  @Test
  void anAddressIsRememberedUntilANewProcessStartsThere() {
    PeerProfile writer = registry.connection("10.0.0.1");
    send(writer, PUT, V0_3_12_POST1);
    writer.close();
    writer.close();
    assertThat(send(registry.connection("10.0.0.1"), GET, MAIN)).isEqualTo(V0_3_12_POST1);
    PeerProfile fresh = registry.connection("10.0.0.1");
    send(fresh, READY, MAIN);
    assertThat(send(fresh, GET, MAIN)).isEqualTo(MAIN);
  }

  @Test
  void aConnectionThatContradictsItselfIsTakenAtItsLastWord() {
    PeerProfile peer = registry.connection("10.0.0.1");
    send(peer, PUT, V0_3_12_POST1);
    send(peer, EXIST, V0_3_11_POST1);
    assertThat(peer.candidates()).containsExactly(V0_3_10_POST2, V0_3_11_POST1);
    assertThat(registry.stats().contradictions()).isEqualTo(1);
  }

  @Test
  void theNewestReleasesShareAListener() {
    PeerProfile peer = registry.pinnedConnection(MAIN);
    assertThat(send(peer, PUT, V0_3_14)).isEqualTo(V0_3_14);
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(EXIST, V0_3_11_POST1, 1, false, out);
    DecodedRequest refused =
        decoder.decode(
            FunctionIds.of(Rpc.EXIST_KEY),
            out.array(),
            Frames.REQUEST_HEADER,
            out.size() - Frames.REQUEST_HEADER,
            peer);
    assertThat(refused).isInstanceOf(DecodedRequest.Refusal.class);
  }

  @Test
  void theMapsForgetWhatWasUsedLongestAgo() {
    ProfileRegistry small = new ProfileRegistry(MAIN, 8);
    for (int i = 0; i < 1000; i++) {
      Request put =
          new Request.WriteStart(
              Rpc.PUT_START, new Uuid(i, 1), "k", 1, ReplicateConfig.DEFAULT, "default");
      PeerProfile peer = small.connection("10.0.0." + i);
      send(peer, put, V0_3_12_POST1);
      if (i < 900) {
        peer.close();
      }
    }
    assertThat(small.stats().clients()).isEqualTo(8);
    assertThat(small.stats().addresses()).isEqualTo(8);
    assertThat(send(small.connection("10.0.0.999"), GET, MAIN)).isEqualTo(V0_3_12_POST1);
    assertThat(send(small.connection("10.0.0.1"), GET, MAIN)).isEqualTo(MAIN);
  }

  @Test
  void everyRecordedConversationIsAnsweredInTheTypesThatItsMasterUsed() {
    for (WireProfile release : WireProfile.values()) {
      ProfileRegistry fresh = new ProfileRegistry();
      List<JsonNode> frames =
          TestVectors.CAPTURES.stream().filter(e -> TestVectors.profile(e) == release).toList();
      WireProfile reply = MAIN;
      int answers = 0;
      for (JsonNode entry : frames) {
        if (TestVectors.isRequest(entry)) {
          PeerProfile peer = fresh.connection("10.0.0.1");
          byte[] body = TestVectors.body(entry);
          DecodedRequest.Call call =
              (DecodedRequest.Call)
                  decoder.decode(
                      FunctionIds.of(TestVectors.rpc(entry)), body, 0, body.length, peer);
          reply = call.replyProfile();
        } else {
          int hash = CallTable.of(TestVectors.rpc(entry)).result(reply).hash();
          assertThat(String.format("0x%08x", hash))
              .as(entry.toString())
              .isEqualTo(entry.path("type_hash").asText());
          answers++;
        }
      }
      assertThat(answers).isGreaterThan(30);
    }
  }

  @Test
  void theRegistryServesManyThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<Boolean>> results = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      WireProfile release = WireProfile.values()[t];
      results.add(threads.submit(() -> manyConnections(release)));
    }
    for (Future<Boolean> result : results) {
      assertThat(result.get()).isTrue();
    }
    threads.shutdown();
  }

  private boolean manyConnections(WireProfile release) {
    RequestDecoder own = new RequestDecoder();
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(PUT, release, 1, false, out);
    byte[] body = Arrays.copyOfRange(out.array(), Frames.REQUEST_HEADER, out.size());
    for (int i = 0; i < 20_000; i++) {
      try (PeerProfile peer = registry.connection("10.0.0." + i % 100)) {
        own.decode(FunctionIds.of(Rpc.PUT_START), body, 0, body.length, peer);
        if (!peer.release().equals(Optional.of(release))) {
          return false;
        }
      }
    }
    return true;
  }
}
