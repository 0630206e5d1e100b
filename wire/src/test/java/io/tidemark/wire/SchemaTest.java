package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.FunctionIds;
import io.tidemark.wire.schema.Signature;
import io.tidemark.wire.schema.TypeForm;
import io.tidemark.wire.schema.WireProfile;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The computed names of functions and types against those that upstream's compiler printed. */
class SchemaTest {

  private static String hash(TypeForm form) {
    return String.format("0x%08x", form.hash());
  }

  @Test
  void everyFunctionIdIsTheHashOfItsQualifiedName() {
    JsonNode ids = TestVectors.one("function_ids").path("value");
    assertThat(ids.size()).isEqualTo(65);
    for (Map.Entry<String, JsonNode> id : ids.properties()) {
      assertThat(String.format("0x%08x", FunctionIds.ofMethod(id.getKey())))
          .as(id.getKey())
          .isEqualTo(id.getValue().asText());
    }
  }

  @Test
  void noTwoCallsShareAFunctionId() {
    Set<Integer> ids = new HashSet<>();
    Arrays.stream(Rpc.values()).forEach(rpc -> ids.add(FunctionIds.of(rpc)));
    assertThat(ids).hasSameSizeAs(Rpc.values());
  }

  @Test
  void everyTypeHashAndLiteralOfEveryReleaseIsAsUpstreamPrints() {
    JsonNode releases = TestVectors.one("type_hashes").path("value");
    int compared = 0;
    for (Map.Entry<String, JsonNode> release : releases.properties()) {
      WireProfile profile = WireProfile.ofLabel(release.getKey()).orElseThrow();
      int registered = 0;
      for (Map.Entry<String, JsonNode> call : release.getValue().properties()) {
        if (call.getValue().path("registered").asBoolean()) {
          compare(profile, call.getKey(), call.getValue());
          registered++;
        }
      }
      assertThat(profile.signatures()).as(profile.label()).hasSize(registered);
      compared += registered;
    }
    assertThat(compared).isEqualTo(64 + 60 + 59 + 46);
  }

  private static void compare(WireProfile profile, String method, JsonNode expected) {
    Rpc rpc =
        Arrays.stream(Rpc.values())
            .filter(r -> r.methodName().equals(method))
            .findFirst()
            .orElseThrow();
    String where = profile.label() + " " + method;
    Signature signature = profile.signature(rpc).orElseThrow();
    Optional<TypeForm> request = signature.request();
    assertThat(request.map(SchemaTest::hash).orElse("null"))
        .as(where)
        .isEqualTo(expected.path("request_hash").asText());
    request.ifPresent(
        form ->
            assertThat(TestVectors.hex(form.literal()))
                .as(where)
                .isEqualTo(expected.path("request_literal_hex").asText()));
    assertThat(hash(signature.result())).isEqualTo(expected.path("response_hash").asText());
    assertThat(TestVectors.hex(signature.result().literal()))
        .as(where)
        .isEqualTo(expected.path("response_literal_hex").asText());
  }

  @Test
  void theNewCallsOfTheNewestReleaseHaveTheHashesThatItsMasterTakes() {
    assertThat(requestHash(Rpc.BATCH_REPLICA_CLEAR)).isEqualTo("0xfa9abb1a");
    assertThat(requestHash(Rpc.PROBE_KEY)).isEqualTo("0x7cf91ed8");
    assertThat(requestHash(Rpc.BATCH_PROBE_KEY)).isEqualTo("0xb75a4d44");
    assertThat(requestHash(Rpc.GET_REPLICA_LIST_FOR_ADMIN)).isEqualTo("0x7cf91ed8");
    assertThat(requestHash(Rpc.BATCH_GET_REPLICA_LIST_FOR_ADMIN)).isEqualTo("0x00f78d62");
    assertThat(requestHash(Rpc.REGISTER_PREFETCH_TASK)).isEqualTo("0x6a2101f4");
    assertThat(requestHash(Rpc.EVICT_DISK_REPLICA_IF_CURRENT)).isEqualTo("0xa1c16070");
    assertThat(WireProfile.V0_3_14.signatures()).hasSize(70);
  }

  private static String requestHash(Rpc rpc) {
    Signature signature = WireProfile.V0_3_14.signature(rpc).orElseThrow();
    return hash(signature.request().orElseThrow());
  }

  @Test
  void compatibleMembersDoNotChangeAHash() {
    Signature main = WireProfile.MAIN.signature(Rpc.GET_REPLICA_LIST).orElseThrow();
    Signature newest = WireProfile.V0_3_14.signature(Rpc.GET_REPLICA_LIST).orElseThrow();
    assertThat(newest.result().hash()).isEqualTo(main.result().hash());
    assertThat(newest.result().hasCompatibleMembers()).isTrue();
    assertThat(main.result().hasCompatibleMembers()).isFalse();
  }
}
