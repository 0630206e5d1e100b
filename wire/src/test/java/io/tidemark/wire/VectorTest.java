package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.Signature;
import io.tidemark.wire.schema.WireProfile;
import io.tidemark.wire.schema.WireType;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every recorded message decodes to its value and encodes to its bytes, in both forms. */
class VectorTest {

  private static Object expected(JsonNode entry, WireType type) {
    return JsonTrees.tree(type, entry.path("value"));
  }

  private static List<Object> expectedArguments(JsonNode entry, Signature signature) {
    JsonNode values = entry.path("value");
    assertThat(values.size()).isEqualTo(signature.arguments().size());
    List<Object> arguments = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      arguments.add(JsonTrees.tree(signature.arguments().get(i).type(), values.get(i)));
    }
    return arguments;
  }

  private static Object decode(JsonNode entry, byte[] body) {
    Rpc rpc = TestVectors.rpc(entry);
    WireProfile profile = TestVectors.profile(entry);
    return TestVectors.isRequest(entry)
        ? DynamicCodec.decodeRequest(rpc, profile, body, 0, body.length)
        : DynamicCodec.decodeResult(rpc, profile, body, 0, body.length);
  }

  private static byte[] encode(JsonNode entry, Object tree, boolean literal) {
    WireBuffer out = new WireBuffer();
    Rpc rpc = TestVectors.rpc(entry);
    WireProfile profile = TestVectors.profile(entry);
    if (TestVectors.isRequest(entry)) {
      DynamicCodec.encodeRequest(rpc, profile, (List<?>) tree, literal, out);
    } else {
      DynamicCodec.encodeResult(rpc, profile, tree, literal, out);
    }
    return out.toBytes();
  }

  private static Object expected(JsonNode entry) {
    Signature signature =
        TestVectors.profile(entry).signature(TestVectors.rpc(entry)).orElseThrow();
    return TestVectors.isRequest(entry)
        ? expectedArguments(entry, signature)
        : expected(entry, signature.result().type());
  }

  @Test
  void everyGeneratedMessageDecodesAndEncodesInBothForms() throws Exception {
    int checked = 0;
    for (JsonNode entry : TestVectors.bySource("generated").filter(TestVectors::isCall).toList()) {
      String name = entry.path("name").asText();
      Object value = expected(entry);
      byte[] plain = TestVectors.hex(entry.path("body_hex"));
      assertThat(decode(entry, plain)).as(name).isEqualTo(value);
      assertThat(encode(entry, value, false)).as(name).isEqualTo(plain);
      byte[] literal = encode(entry, value, true);
      assertThat(decode(entry, literal)).as(name).isEqualTo(value);
      if (entry.has("body_literal_sha256")) {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(literal);
        assertThat(TestVectors.hex(digest)).isEqualTo(entry.path("body_literal_sha256").asText());
      } else {
        assertThat(TestVectors.hex(literal))
            .as(name)
            .isEqualTo(entry.path("body_literal_hex").asText());
      }
      checked++;
    }
    // Of 536 entries two are tables and four the bodiless request of CalcCacheStats, which no
    // release registers.
    assertThat(checked).isEqualTo(530);
  }

  @Test
  void everyCapturedMessageDecodesAndEncodesInItsForm() {
    int checked = 0;
    for (JsonNode entry : TestVectors.bySource("captured").filter(TestVectors::isCall).toList()) {
      if (TestVectors.errorCode(entry) != 0) {
        continue;
      }
      String name = entry.path("name").asText();
      byte[] body = TestVectors.body(entry);
      boolean literal = entry.path("encoding").asText().equals("literal");
      Object value = expected(entry);
      assertThat(decode(entry, body)).as(name).isEqualTo(value);
      assertThat(encode(entry, value, literal)).as(name).isEqualTo(body);
      checked++;
    }
    assertThat(checked).isGreaterThan(215);
  }

  @Test
  void everyCapturedErrorAnswerDecodesAndAPlainOneIsWrittenAlike() {
    int checked = 0;
    for (JsonNode entry : TestVectors.bySource("captured").toList()) {
      if (TestVectors.isRequest(entry) || TestVectors.errorCode(entry) == 0) {
        continue;
      }
      byte[] body = TestVectors.body(entry);
      Reply.RpcError error =
          (Reply.RpcError)
              ReplyDecoder.decode(
                  Rpc.EXIST_KEY,
                  TestVectors.errorCode(entry),
                  body,
                  0,
                  body.length,
                  WireProfile.MAIN);
      assertThat(error.rpcCode()).isEqualTo(entry.path("value").path("rpc_error").asInt());
      assertThat(error.message()).isEqualTo(entry.path("value").path("message").asText());
      if (entry.path("encoding").asText().equals("plain")) {
        WireBuffer out = new WireBuffer();
        int seq = entry.path("seq_num").asInt();
        ReplyEncoder.encode(Rpc.EXIST_KEY, error, WireProfile.MAIN, seq, out);
        assertThat(TestVectors.hex(out.toBytes())).isEqualTo(entry.path("frame_hex").asText());
      }
      checked++;
    }
    assertThat(checked).isEqualTo(9);
  }

  @Test
  void everyFrameBetweenAWheelAndItsMasterSurvivesDecodingAndEncoding() {
    int withPadding = 0;
    for (JsonNode entry : TestVectors.CAPTURES) {
      byte[] body = TestVectors.body(entry);
      if (TestVectors.errorCode(entry) != 0) {
        continue;
      }
      Object tree = decode(entry, body);
      byte[] again = encode(entry, tree, body.length > 0);
      if (TestVectors.rpc(entry) == Rpc.BATCH_PROBE_KEY && TestVectors.isRequest(entry)) {
        clearPadding(body);
        withPadding++;
      }
      assertThat(TestVectors.hex(again)).as(entry.toString()).isEqualTo(TestVectors.hex(body));
    }
    assertThat(withPadding).isEqualTo(3);
    assertThat(TestVectors.CAPTURES).hasSize(422);
  }

  /** The padding of ExistOptions is whatever the client's memory held; a decoder drops it. */
  private static void clearPadding(byte[] body) {
    int hashAndMeta = 5;
    int payload = hashAndMeta;
    while (body[payload] != 0) {
      payload++;
    }
    Arrays.fill(body, payload + 2, payload + 1 + Long.BYTES, (byte) 0);
  }

  @Test
  void theTenantIdBehindAReplicaListOfTheNewestReleaseIsRead() {
    JsonNode entry =
        TestVectors.CAPTURES.stream()
            .filter(e -> e.path("release").asText().equals("v0.3.14"))
            .filter(e -> TestVectors.rpc(e) == Rpc.GET_REPLICA_LIST && !TestVectors.isRequest(e))
            .findFirst()
            .orElseThrow();
    DynamicCodec.Outcome outcome = (DynamicCodec.Outcome) decode(entry, TestVectors.body(entry));
    assertThat(outcome.value()).asString().contains("tenant_id=default");
  }
}
