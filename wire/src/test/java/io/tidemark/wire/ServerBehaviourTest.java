package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.FunctionIds;
import io.tidemark.wire.schema.WireProfile;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Well-formed, odd and broken requests get the answers that upstream's server gives. */
class ServerBehaviourTest {

  @Test
  void everyMeasuredRequestGetsTheMeasuredAnswerOrClose() {
    List<JsonNode> entries = TestVectors.named("server.behaviour/").toList();
    assertThat(entries).hasSize(16);
    for (JsonNode entry : entries) {
      StubMaster master = StubMaster.ofMain();
      FrameStatus status = master.receive(TestVectors.hex(entry.path("frame_hex")));
      String name = entry.path("name").asText();
      boolean closes = entry.path("expect").asText().startsWith("connection closed");
      assertThat(status.mustClose()).as(name).isEqualTo(closes);
      String answer = closes ? "" : entry.path("expect_frame_hex").asText();
      assertThat(master.sent()).as(name).isEqualTo(answer);
    }
  }

  @Test
  void anOlderClientIsServedUnlessTheListenerIsPinned() {
    byte[] frame =
        TestVectors.hex(
            TestVectors.one("server.behaviour/older_client_v0.3.11_ExistKey").path("frame_hex"));
    StubMaster master =
        new StubMaster(new ProfileRegistry().connection("10.0.0.1"), Frames.DEFAULT_MAX_BYTES);
    master.receive(frame);
    assertThat(master.sent()).isEqualTo("15000000000000000600000000000000d200e8900101");
  }

  @Test
  void aRefusalLeavesTheConnectionUsable() {
    StubMaster master = StubMaster.ofMain();
    byte[] broken =
        TestVectors.hex(TestVectors.one("server.behaviour/empty_body").path("frame_hex"));
    byte[] good =
        TestVectors.hex(TestVectors.one("capture.plain.pipeline.requests").path("frame_hex"));
    assertThat(master.receive(broken)).isEqualTo(FrameStatus.OPEN);
    assertThat(master.receive(good)).isEqualTo(FrameStatus.OPEN);
    assertThat(master.sent())
        .endsWith(TestVectors.one("capture.plain.pipeline.responses").path("frame_hex").asText());
  }

  @Test
  void pipelinedRequestsAreAnsweredWhereverTheStreamIsCut() {
    for (String form : List.of("plain", "literal")) {
      byte[] requests =
          TestVectors.hex(
              TestVectors.one("capture." + form + ".pipeline.requests").path("frame_hex"));
      String answers =
          TestVectors.one("capture.plain.pipeline.responses").path("frame_hex").asText();
      for (int cut = 0; cut <= requests.length; cut++) {
        StubMaster master = StubMaster.ofMain();
        master.receive(Arrays.copyOfRange(requests, 0, cut));
        master.receive(Arrays.copyOfRange(requests, cut, requests.length));
        assertThat(master.sent()).as("%s cut at %d", form, cut).isEqualTo(answers);
      }
    }
  }

  @Test
  void aStreamThatArrivesByteByByteIsAnswered() {
    byte[] requests =
        TestVectors.hex(TestVectors.one("capture.plain.pipeline.requests").path("frame_hex"));
    StubMaster master = StubMaster.ofMain();
    for (byte b : requests) {
      master.receive(new byte[] {b});
    }
    assertThat(master.sent())
        .isEqualTo(TestVectors.one("capture.plain.pipeline.responses").path("frame_hex").asText());
  }

  @Test
  void aModelWeightCallIsRefusedByNameAndMarksTheNewestRelease() {
    PeerProfile peer = new ProfileRegistry().connection("10.0.0.1");
    DecodedRequest.Refusal refusal =
        (DecodedRequest.Refusal) decode(Rpc.BEGIN_WEIGHT_IMPORT, new byte[4], peer);
    assertThat(refusal.reason()).isEqualTo(RefusalReason.WEIGHT_CALL);
    assertThat(refusal.rpc()).contains(Rpc.BEGIN_WEIGHT_IMPORT);
    assertThat(refusal.reply().rpcCode()).isEqualTo(11);
    assertThat(peer.release()).contains(WireProfile.V0_3_14);
  }

  @Test
  void aRequestOfAReleaseThatIsTooOldIsRefusedByName() {
    byte[] body = HexFormat.of().parseHex("46586e78");
    DecodedRequest.Refusal refusal =
        (DecodedRequest.Refusal)
            decode(Rpc.PUT_START, body, new ProfileRegistry().connection("10.0.0.1"));
    assertThat(refusal.reason()).isEqualTo(RefusalReason.WRONG_HASH);
    assertThat(refusal.looksLike()).isEqualTo("v0.3.10 or older");
  }

  @Test
  void aPinnedListenerNamesTheReleaseOfAStranger() {
    byte[] body = TestVectors.hex(TestVectors.one("v0.3.11.post1/PutStart.req").path("body_hex"));
    DecodedRequest.Refusal refusal =
        (DecodedRequest.Refusal)
            decode(Rpc.PUT_START, body, new ProfileRegistry().pinnedConnection(WireProfile.MAIN));
    assertThat(refusal.looksLike()).isEqualTo("v0.3.11.post1");
    assertThat(refusal.reply().rpcCode()).isEqualTo(4);
  }

  @Test
  void anElementCountBeyondTheBodyIsRefusedBeforeAnythingIsAllocated() {
    // BatchExistKey of main with sizes of four bytes and 2^31 - 1 keys.
    byte[] body = HexFormat.of().parseHex("638df700" + "10" + "ffffff7f" + "0161");
    DecodedRequest.Refusal refusal =
        (DecodedRequest.Refusal)
            decode(Rpc.BATCH_EXIST_KEY, body, new ProfileRegistry().connection("10.0.0.1"));
    assertThat(refusal.reason()).isEqualTo(RefusalReason.ABSURD_COUNT);
  }

  @Test
  void anUnservedCallTellsHowManyItemsItsAnswerNeeds() {
    RequestDecoder decoder = new RequestDecoder();
    WireBuffer out = new WireBuffer();
    List<Object> arguments =
        List.of(TypedTrees.uuid(new Uuid(1, 2)), List.of("a", "b", "c"), "default", 2L);
    DynamicCodec.encodeRequest(
        Rpc.BATCH_EVICT_DISK_REPLICA, WireProfile.MAIN, arguments, true, out);
    byte[] body = out.toBytes();
    DecodedRequest.Call call =
        (DecodedRequest.Call)
            decoder.decode(
                FunctionIds.of(Rpc.BATCH_EVICT_DISK_REPLICA),
                body,
                0,
                body.length,
                new ProfileRegistry().connection("10.0.0.1"));
    assertThat(call.request()).isEqualTo(new Request.Unserved(Rpc.BATCH_EVICT_DISK_REPLICA, 3));
  }

  @Test
  void everyCallOfTheNewestReleaseThatIsNotServedAnswersNotSupportedInItsOwnType() {
    for (Rpc rpc : WireProfile.V0_3_14.signatures().keySet()) {
      Request.Unserved request = new Request.Unserved(rpc, 2);
      if (rpc == Rpc.REMOVE_ALL) {
        continue;
      }
      WireBuffer out = new WireBuffer();
      ReplyEncoder.encode(rpc, ReplyEncoder.unserved(request), WireProfile.V0_3_14, 3, out);
      byte[] frame = out.toBytes();
      Object result =
          DynamicCodec.decodeResult(
              rpc,
              WireProfile.MAIN.signature(rpc).isPresent() ? WireProfile.MAIN : WireProfile.V0_3_14,
              frame,
              Frames.RESPONSE_HEADER,
              frame.length - Frames.RESPONSE_HEADER);
      DynamicCodec.Outcome refused = DynamicCodec.Outcome.error(-1012);
      boolean perItem = ReplyEncoder.hasResultPerItem(rpc);
      assertThat(result).as(rpc.name()).isEqualTo(perItem ? List.of(refused, refused) : refused);
    }
  }

  private static DecodedRequest decode(Rpc rpc, byte[] body, PeerProfile peer) {
    return new RequestDecoder().decode(FunctionIds.of(rpc), body, 0, body.length, peer);
  }

  @Test
  void anUnknownFunctionHasNoName() {
    DecodedRequest decoded =
        new RequestDecoder()
            .decode(1, new byte[0], 0, 0, new ProfileRegistry().connection("10.0.0.1"));
    assertThat(decoded)
        .isEqualTo(
            new DecodedRequest.Refusal(RefusalReason.UNKNOWN_FUNCTION, Optional.empty(), ""));
  }
}
