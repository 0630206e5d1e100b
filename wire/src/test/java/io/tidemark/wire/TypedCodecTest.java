package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.FunctionIds;
import io.tidemark.wire.schema.WireProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The hand-written codecs put every member where the schema says. */
class TypedCodecTest {

  private static final List<Rpc> HOT_REQUESTS =
      List.of(
          Rpc.EXIST_KEY,
          Rpc.GET_REPLICA_LIST,
          Rpc.PUT_START,
          Rpc.PUT_END,
          Rpc.PUT_REVOKE,
          Rpc.REMOVE,
          Rpc.PING,
          Rpc.MOUNT_SEGMENT,
          Rpc.UPSERT_START,
          Rpc.UPSERT_END,
          Rpc.UPSERT_REVOKE,
          Rpc.BATCH_PUT_START,
          Rpc.BATCH_PUT_END,
          Rpc.BATCH_UPSERT_START,
          Rpc.BATCH_GET_REPLICA_LIST,
          Rpc.BATCH_EXIST_KEY,
          Rpc.PROBE_KEY,
          Rpc.BATCH_PROBE_KEY);

  private static final List<Rpc> HOT_REPLIES =
      List.of(
          Rpc.EXIST_KEY,
          Rpc.GET_REPLICA_LIST,
          Rpc.PUT_START,
          Rpc.PUT_END,
          Rpc.PUT_REVOKE,
          Rpc.REMOVE,
          Rpc.PING,
          Rpc.BATCH_PUT_START,
          Rpc.BATCH_PUT_END,
          Rpc.BATCH_UPSERT_START,
          Rpc.BATCH_GET_REPLICA_LIST,
          Rpc.BATCH_EXIST_KEY);

  private final ProfileRegistry registry = new ProfileRegistry();
  private final RequestDecoder decoder = new RequestDecoder();

  private Request decode(Rpc rpc, byte[] body) {
    PeerProfile peer = registry.connection("10.0.0.1");
    DecodedRequest decoded = decoder.decode(FunctionIds.of(rpc), body, 0, body.length, peer);
    peer.close();
    assertThat(decoded).isInstanceOf(DecodedRequest.Call.class);
    return ((DecodedRequest.Call) decoded).request();
  }

  @Test
  void aHotRequestIsWrittenAsTheSchemaSaysAndReadBackAlike() {
    RandomMessages messages = new RandomMessages(20261130);
    int compared = 0;
    for (int round = 0; round < 150; round++) {
      for (Rpc rpc : HOT_REQUESTS) {
        for (WireProfile profile : WireProfile.values()) {
          if (profile.signature(rpc).isPresent()) {
            compareRequest(messages.request(rpc), profile, round % 2 == 0);
            compared++;
          }
        }
      }
    }
    assertThat(compared).isGreaterThan(10_000);
  }

  private void compareRequest(Request request, WireProfile profile, boolean literal) {
    WireBuffer bySchema = new WireBuffer();
    DynamicCodec.encodeRequest(
        request.rpc(), profile, TypedTrees.arguments(request, profile), literal, bySchema);
    WireBuffer byHand = new WireBuffer();
    RequestEncoder.encode(request, profile, 7, literal, byHand);
    byte[] body = Arrays.copyOfRange(byHand.toBytes(), Frames.REQUEST_HEADER, byHand.size());
    assertThat(body).as("%s %s", request, profile).isEqualTo(bySchema.toBytes());
    // What the release cannot say is lost on the way; what it can say comes back.
    Request back = decode(request.rpc(), body);
    WireBuffer again = new WireBuffer();
    RequestEncoder.encode(back, profile, 7, literal, again);
    assertThat(again.toBytes()).isEqualTo(byHand.toBytes());
  }

  @Test
  void aHotReplyIsWrittenAsTheSchemaSaysAndReadBackAlike() {
    RandomMessages messages = new RandomMessages(7);
    for (int round = 0; round < 150; round++) {
      for (Rpc rpc : HOT_REPLIES) {
        Reply reply = messages.reply(rpc);
        for (WireProfile profile : WireProfile.values()) {
          compareReply(rpc, reply, profile);
        }
      }
    }
  }

  private static void compareReply(Rpc rpc, Reply reply, WireProfile profile) {
    WireProfile form = profile == WireProfile.V0_3_14 ? WireProfile.MAIN : profile;
    WireBuffer bySchema = new WireBuffer();
    DynamicCodec.encodeResult(rpc, form, TypedTrees.result(rpc, reply, form), false, bySchema);
    WireBuffer byHand = new WireBuffer();
    ReplyEncoder.encode(rpc, reply, profile, 9, byHand);
    byte[] frame = byHand.toBytes();
    byte[] body = Arrays.copyOfRange(frame, Frames.RESPONSE_HEADER, frame.length);
    assertThat(body).as("%s %s", rpc, profile).isEqualTo(bySchema.toBytes());
    Reply back = ReplyDecoder.decode(rpc, 0, body, 0, body.length, profile);
    byHand.clear();
    ReplyEncoder.encode(rpc, back, profile, 9, byHand);
    assertThat(byHand.toBytes()).isEqualTo(frame);
    if (form == WireProfile.MAIN) {
      assertThat(back).isEqualTo(reply);
    }
  }

  @Test
  void everyRecordedRequestWithARecordIsWrittenBackByteForByte() {
    List<JsonNode> entries = new ArrayList<>(TestVectors.CAPTURES);
    TestVectors.bySource("captured").filter(TestVectors::isCall).forEach(entries::add);
    int compared = 0;
    for (JsonNode entry : entries) {
      if (!TestVectors.isRequest(entry)) {
        continue;
      }
      byte[] frame = TestVectors.hex(entry.path("frame_hex"));
      Rpc rpc = TestVectors.rpc(entry);
      Request request = decode(rpc, Arrays.copyOfRange(frame, Frames.REQUEST_HEADER, frame.length));
      boolean padded = rpc == Rpc.BATCH_PROBE_KEY;
      if (request instanceof Request.Unserved || padded) {
        continue;
      }
      boolean literal = !entry.path("encoding").asText().equals("plain");
      WireBuffer out = new WireBuffer();
      RequestEncoder.encode(
          request, TestVectors.profile(entry), Frames.intAt(frame, 4), literal, out);
      assertThat(TestVectors.hex(out.toBytes()))
          .as(entry.toString())
          .isEqualTo(TestVectors.hex(frame));
      compared++;
    }
    assertThat(compared).isGreaterThan(200);
  }

  @Test
  void everyGeneratedRequestIsUnderstoodByTheServer() {
    int unserved = 0;
    int served = 0;
    for (JsonNode entry : TestVectors.bySource("generated").filter(TestVectors::isCall).toList()) {
      if (!TestVectors.isRequest(entry)) {
        continue;
      }
      Request request = decode(TestVectors.rpc(entry), TestVectors.hex(entry.path("body_hex")));
      assertThat(request.rpc()).isEqualTo(TestVectors.rpc(entry));
      if (request instanceof Request.Unserved) {
        unserved++;
      } else {
        served++;
      }
    }
    assertThat(served).isGreaterThan(150);
    assertThat(unserved).isGreaterThan(50);
  }

  @Test
  void everyGeneratedAnswerWithARecordIsWrittenBackByteForByte() {
    int compared = 0;
    for (JsonNode entry : TestVectors.bySource("generated").filter(TestVectors::isCall).toList()) {
      if (TestVectors.isRequest(entry)) {
        continue;
      }
      byte[] body = TestVectors.hex(entry.path("body_hex"));
      Rpc rpc = TestVectors.rpc(entry);
      WireProfile profile = TestVectors.profile(entry);
      Reply reply = ReplyDecoder.decode(rpc, 0, body, 0, body.length, profile);
      WireBuffer out = new WireBuffer();
      try {
        ReplyEncoder.encode(rpc, reply, profile, 1, out);
      } catch (IllegalArgumentException noRecord) {
        continue;
      }
      byte[] frame = out.toBytes();
      assertThat(Arrays.copyOfRange(frame, Frames.RESPONSE_HEADER, frame.length))
          .as(entry.path("name").asText())
          .isEqualTo(body);
      compared++;
    }
    assertThat(compared).isGreaterThan(200);
  }
}
