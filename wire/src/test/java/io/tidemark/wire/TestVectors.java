package io.tidemark.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.WireProfile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;

/** The recorded and generated messages among the test resources. */
final class TestVectors {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, Rpc> BY_METHOD =
      Arrays.stream(Rpc.values()).collect(Collectors.toMap(Rpc::methodName, Function.identity()));

  static final List<JsonNode> VECTORS = vectors();
  static final List<JsonNode> CAPTURES = captures();

  private TestVectors() {}

  private static List<JsonNode> vectors() {
    try (InputStream in = open("coro-rpc-vectors.json.gz")) {
      return StreamSupport.stream(JSON.readTree(in).spliterator(), false).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static List<JsonNode> captures() {
    try (InputStream in = open("coro-rpc-wheel-captures.jsonl.gz")) {
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      return lines.lines().filter(line -> !line.isBlank()).map(TestVectors::json).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static InputStream open(String name) throws IOException {
    return new GZIPInputStream(TestVectors.class.getResourceAsStream(name));
  }

  static Stream<JsonNode> bySource(String source) {
    return VECTORS.stream().filter(v -> v.path("source").asText().equals(source));
  }

  static Stream<JsonNode> named(String prefix) {
    return VECTORS.stream().filter(v -> v.path("name").asText().startsWith(prefix));
  }

  static JsonNode one(String name) {
    return named(name).findFirst().orElseThrow();
  }

  /** Whether an entry is one message of a registered call. */
  static boolean isCall(JsonNode entry) {
    return BY_METHOD.containsKey(entry.path("rpc").asText());
  }

  static Rpc rpc(JsonNode entry) {
    return BY_METHOD.get(entry.path("rpc").asText());
  }

  static boolean isRequest(JsonNode entry) {
    return entry.path("direction").asText().equals("request");
  }

  static WireProfile profile(JsonNode entry) {
    String label = entry.has("release") ? entry.path("release").asText() : profileText(entry);
    return WireProfile.ofLabel(label).orElseThrow();
  }

  private static String profileText(JsonNode entry) {
    return entry.path("profile").asText();
  }

  static byte[] hex(JsonNode node) {
    return HexFormat.of().parseHex(node.asText());
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** The body of a captured frame. */
  static byte[] body(JsonNode entry) {
    byte[] frame = hex(entry.path("frame_hex"));
    int header = isRequest(entry) ? Frames.REQUEST_HEADER : Frames.RESPONSE_HEADER;
    return Arrays.copyOfRange(frame, header, frame.length);
  }

  /** Error code of a captured response. */
  static int errorCode(JsonNode entry) {
    return entry.path("err_code").asInt(0);
  }
}
