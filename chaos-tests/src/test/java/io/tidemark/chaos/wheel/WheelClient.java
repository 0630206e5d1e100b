package io.tidemark.chaos.wheel;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.process.Checkout;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.FreePorts;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.OsProcess;
import io.tidemark.chaos.process.Release;
import io.tidemark.chaos.wheel.Content.Digest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A real Mooncake client in a process of its own. Codes are the client's: 0 or a negative error.
 * Calls of one client are carried out in order; {@link #send} lets several clients work at the same
 * time.
 */
final class WheelClient {
  /** What the client lends to the store. */
  static final int SEGMENT_BYTES = 64 << 20;

  private static final int BUFFER_BYTES = 32 << 20;
  private static final Duration CALL_LIMIT = Duration.ofSeconds(75);
  private static final Map<String, String> ENVIRONMENT =
      Map.of("PYTHONDONTWRITEBYTECODE", "1", "PYTHONUNBUFFERED", "1");

  private final Release release;
  private final String endpoint;
  private final OsProcess process;
  private final ClientChannel channel;

  private WheelClient(Release release, String endpoint, OsProcess process, ClientChannel channel) {
    this.release = release;
    this.endpoint = endpoint;
    this.process = process;
    this.channel = channel;
  }

  /** Starts a client of a release on a host; it is not connected yet and ends with the test. */
  static WheelClient start(Evidence evidence, String name, Release release, Host host) {
    return start(evidence, name, release, host, Life.USUAL);
  }

  /**
   * How it runs.
   *
   * @param longest after which it ends by itself
   * @param environment variables for it, beside the usual ones
   */
  record Life(Duration longest, Map<String, String> environment) {
    static final Life USUAL = new Life(Duration.ofSeconds(200), Map.of());
  }

  /** The same with another life. */
  static WheelClient start(Evidence evidence, String name, Release release, Host host, Life life) {
    Checkout.requireWheel(release);
    String script = Checkout.resource("/wheel/client.py").toString();
    String limit = Long.toString(life.longest().toSeconds());
    List<String> command =
        List.of(Checkout.wheelEnv().toString(), release.version(), "python", script, limit);
    Map<String, String> environment = new LinkedHashMap<>(ENVIRONMENT);
    environment.putAll(life.environment());
    OsProcess process = OsProcess.startPiped(evidence, name, host.command(command), environment);
    ClientChannel channel =
        new ClientChannel(name, process, evidence.folder().resolve(name + ".transcript"));
    String endpoint = host.address() + ":" + FreePorts.next();
    return new WheelClient(release, endpoint, process, channel);
  }

  Release release() {
    return release;
  }

  /** The name of this client's segment, by which others can prefer it. */
  String endpoint() {
    return endpoint;
  }

  /** The process, which is this client's whole life. */
  OsProcess process() {
    return process;
  }

  /** Names of this release's store methods. */
  List<String> methods() {
    return strings(await("greeting", channel.greeting()).get("methods"));
  }

  /** Sends a request without waiting for its answer. */
  CompletableFuture<JsonNode> send(String operation, Map<String, ?> arguments) {
    return channel.send(operation, arguments);
  }

  /** Sends a request and waits for its answer. */
  JsonNode call(String operation, Map<String, ?> arguments) {
    return await(operation, send(operation, arguments));
  }

  int setup(String master) {
    return setup(master, SEGMENT_BYTES);
  }

  int setup(String master, int segmentBytes) {
    return call("setup", setupArguments(master, segmentBytes)).asInt();
  }

  Map<String, ?> setupArguments(String master, int segmentBytes) {
    return Map.of(
        "name",
        endpoint,
        "master",
        master,
        "segment_bytes",
        segmentBytes,
        "buffer_bytes",
        BUFFER_BYTES);
  }

  int put(String key, Content content) {
    return put(key, content, Map.of());
  }

  /** Puts with members of the release's ReplicateConfig: soft_pin, hard_pin, segment, replicas. */
  int put(String key, Content content, Map<String, ?> config) {
    return call("put", one(key, content, config)).asInt();
  }

  int upsert(String key, Content content) {
    return call("upsert", one(key, content, Map.of())).asInt();
  }

  int putBatch(Map<String, Content> objects) {
    return call("put_batch", many(objects)).asInt();
  }

  int upsertBatch(Map<String, Content> objects) {
    return call("upsert_batch", many(objects)).asInt();
  }

  Digest get(String key) {
    return digest(call("get", Map.of("key", key)));
  }

  List<Digest> getBatch(List<String> keys) {
    return digests(call("get_batch", Map.of("keys", keys)));
  }

  int isExist(String key) {
    return call("is_exist", Map.of("key", key)).asInt();
  }

  List<Integer> batchIsExist(List<String> keys) {
    return integers(call("batch_is_exist", Map.of("keys", keys)));
  }

  int remove(String key, boolean force) {
    return call("remove", Map.of("key", key, "force", force)).asInt();
  }

  List<Integer> batchRemove(List<String> keys, boolean force) {
    return integers(call("batch_remove", Map.of("keys", keys, "force", force)));
  }

  int removeByRegex(String pattern, boolean force) {
    return call("remove_by_regex", Map.of("pattern", pattern, "force", force)).asInt();
  }

  int removeAll(boolean force) {
    return call("remove_all", Map.of("force", force)).asInt();
  }

  List<String> batchReplicaClear(List<String> keys, String segment) {
    return strings(call("batch_replica_clear", Map.of("keys", keys, "segment", segment)));
  }

  int close() {
    return call("close", Map.of()).asInt();
  }

  static List<String> strings(JsonNode array) {
    List<String> values = new ArrayList<>();
    array.forEach(value -> values.add(value.asText()));
    return values;
  }

  /** The value of an answer, or a failure that says whose it is. */
  JsonNode await(String operation, CompletableFuture<JsonNode> answer) {
    try {
      return answer.get(CALL_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(operation + " by " + release + ": " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new AssertionError(operation + " by " + release + " not done within " + CALL_LIMIT, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted in " + operation + " by " + release, e);
    }
  }

  private static Map<String, Object> one(String key, Content content, Map<String, ?> config) {
    Map<String, Object> arguments = new LinkedHashMap<>(config);
    arguments.put("key", key);
    arguments.put("seed", content.seed());
    arguments.put("size", content.size());
    return arguments;
  }

  private static Map<String, Object> many(Map<String, Content> objects) {
    return Map.of(
        "keys", objects.keySet(),
        "seeds", objects.values().stream().map(Content::seed).toList(),
        "sizes", objects.values().stream().map(Content::size).toList());
  }

  static List<Digest> digests(JsonNode array) {
    List<Digest> digests = new ArrayList<>();
    array.forEach(value -> digests.add(digest(value)));
    return digests;
  }

  private static Digest digest(JsonNode value) {
    return new Digest(value.get("size").asLong(), value.get("sha256").asText());
  }

  private static List<Integer> integers(JsonNode array) {
    List<Integer> values = new ArrayList<>();
    array.forEach(value -> values.add(value.asInt()));
    return values;
  }

  @Override
  public String toString() {
    return release + " at " + endpoint;
  }
}
