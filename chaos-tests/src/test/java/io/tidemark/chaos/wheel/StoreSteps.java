package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.wheel.Content.Digest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a user does with a store, each step checked: by the client that does it, and by a second
 * client that lends no memory, never pings, and has to fetch the bytes over a socket.
 */
final class StoreSteps {
  private static final int OK = 0;
  private static final int NO_OBJECT = -704;
  private static final int HAS_LEASE = -706;
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;
  private static final Duration LEASE_LIMIT = Duration.ofSeconds(15);

  private static final int FILL_BYTES = 2 * MIB;
  private static final int ROOM_FOR_FILL = WheelClient.SEGMENT_BYTES / FILL_BYTES;

  private final WheelClient client;
  private final WheelClient reader;
  private int fills;
  private int filled;

  StoreSteps(WheelClient client, WheelClient reader) {
    this.client = client;
    this.reader = reader;
  }

  void putsAndGetsObjectsOfManySizes() {
    int[] sizes = {1, 100, 4 * KIB, 4 * KIB + 1, MIB, 5 * MIB + 3};
    for (int size : sizes) {
      Content content = new Content("single/" + size, size);
      String key = "size-" + size;
      assertThat(client.put(key, content)).as("put of %s", key).isEqualTo(OK);
      assertBothRead(key, content);
      assertThat(client.call("get_size", Map.of("key", key)).asLong()).isEqualTo(size);
    }
    assertBothMiss("size-0");
  }

  void aSecondPutOfAKeyIsDoneAndKeepsTheFirstBytes() {
    Content first = new Content("first", 10 * KIB);
    assertThat(client.put("twice", first)).isEqualTo(OK);
    assertThat(client.put("twice", new Content("second", 10 * KIB))).isEqualTo(OK);
    assertBothRead("twice", first);
  }

  void putsAndGetsBatches() {
    Map<String, Content> objects = new LinkedHashMap<>();
    for (int i = 0; i < 40; i++) {
      objects.put("batch-" + i, new Content("batch/" + i, 1 + i * 977));
    }
    assertThat(client.putBatch(objects)).isEqualTo(OK);
    List<String> keys = new ArrayList<>(objects.keySet());
    List<Digest> expected =
        new ArrayList<>(objects.values().stream().map(Content::digest).toList());
    keys.add("batch-none");
    expected.add(Digest.NOTHING);
    assertThat(client.getBatch(keys)).isEqualTo(expected);
    assertThat(reader.getBatch(keys)).isEqualTo(expected);
  }

  void upsertsMakeAndReplace() {
    Content made = new Content("made", 3 * KIB);
    assertThat(client.upsert("upsert", made)).isEqualTo(OK);
    assertBothRead("upsert", made);
    Content sameSize = new Content("same size", 3 * KIB);
    assertThat(client.upsert("upsert", sameSize)).isEqualTo(OK);
    assertBothRead("upsert", sameSize);
    Content larger = new Content("larger", 2 * MIB);
    assertThat(client.upsert("upsert", larger)).isEqualTo(OK);
    assertBothRead("upsert", larger);
    Map<String, Content> many = new LinkedHashMap<>();
    many.put("upsert", new Content("smaller", 5));
    many.put("upsert-new", new Content("new", 700));
    assertThat(client.upsertBatch(many)).isEqualTo(OK);
    many.forEach(this::assertBothRead);
  }

  void tellsWhatExists() {
    assertThat(client.put("there", new Content("there", 9))).isEqualTo(OK);
    assertThat(client.isExist("there")).isOne();
    assertThat(client.isExist("not there")).isZero();
    assertThat(reader.batchIsExist(List.of("there", "not there", "there")))
        .containsExactly(1, 0, 1);
    if (client.methods().contains("probe_key")) {
      assertThat(client.call("probe_key", Map.of("key", "there")).asInt()).isOne();
    }
  }

  void describesReplicas() {
    assertThat(client.put("described", new Content("described", 12_345))).isEqualTo(OK);
    JsonNode replicas = reader.call("replicas", Map.of("key", "described"));
    assertThat(replicas).hasSize(1);
    JsonNode replica = replicas.get(0);
    assertThat(replica.get("status").asText()).isEqualTo("COMPLETE");
    assertThat(replica.get("memory").asBoolean()).isTrue();
    assertThat(replica.get("size").asLong()).isEqualTo(12_345);
    assertThat(replica.get("address").asLong()).isPositive();
    String host = client.endpoint().substring(0, client.endpoint().indexOf(':'));
    assertThat(replica.get("endpoint").asText()).startsWith(host + ":");
    assertThat(reader.call("replicas", Map.of("key", "not described"))).isEmpty();
    JsonNode several =
        client.call("batch_replicas", Map.of("keys", List.of("described", "not described")));
    assertThat(several.get("described")).isEqualTo(replicas);
    assertThat(several.has("not described")).isFalse();
  }

  void removesWhatHasNoLeaseAndAnythingByForce() {
    putAll("gone-1", "gone-2", "gone-3");
    assertThat(client.remove("gone-1", false)).isEqualTo(OK);
    assertBothMiss("gone-1");
    assertThat(client.remove("gone-1", false)).isEqualTo(NO_OBJECT);
    assertThat(reader.get("gone-2").size()).isPositive();
    assertThat(client.remove("gone-2", false))
        .as("remove under a reader's lease")
        .isEqualTo(HAS_LEASE);
    Await.until(
        "a lease ends", LEASE_LIMIT, () -> client.remove("gone-2", false), code -> code == OK);
    assertBothMiss("gone-2");
    assertThat(reader.get("gone-3").size()).isPositive();
    assertThat(client.remove("gone-3", true)).isEqualTo(OK);
    assertBothMiss("gone-3");
  }

  void removesBatchesAndPatterns() {
    putAll("many-1", "many-2", "many-3", "pattern-a1", "pattern-a2", "pattern-b1");
    assertThat(client.batchRemove(List.of("many-1", "many-none", "many-2"), true))
        .containsExactly(OK, NO_OBJECT, OK);
    assertThat(reader.batchIsExist(List.of("many-1", "many-2", "many-3"))).containsExactly(0, 0, 1);
    assertThat(client.removeByRegex("^pattern-a.*", true)).isEqualTo(2);
    assertThat(reader.batchIsExist(List.of("pattern-a1", "pattern-a2", "pattern-b1")))
        .containsExactly(0, 0, 1);
  }

  void clearsReplicas() {
    putAll("cleared", "cleared-here");
    assertThat(client.batchReplicaClear(List.of("cleared", "cleared-none"), ""))
        .containsExactly("cleared");
    assertThat(client.batchReplicaClear(List.of("cleared-here"), client.endpoint()))
        .containsExactly("cleared-here");
    assertBothMiss("cleared");
    assertBothMiss("cleared-here");
  }

  void pinnedObjectsOutliveOthersWhenTheStoreIsFull() {
    assertThat(client.removeAll(true)).isPositive();
    Content soft = new Content("soft", MIB);
    Content hard = new Content("hard", MIB);
    assertThat(client.put("soft", soft, Map.of("soft_pin", true))).isEqualTo(OK);
    assertThat(client.put("hard", hard, Map.of("hard_pin", true))).isEqualTo(OK);
    Await.until(
        "more is stored than there is room for",
        LEASE_LIMIT,
        this::fill,
        stored -> stored > ROOM_FOR_FILL);
    assertBothRead("soft", soft);
    assertBothRead("hard", hard);
  }

  void removesAll() {
    putAll("all-1");
    assertThat(client.get("all-1").size()).isPositive();
    assertThat(client.removeAll(false)).as("remove_all under leases").isGreaterThanOrEqualTo(0);
    assertThat(client.isExist("all-1")).as("an object under a lease").isOne();
    assertThat(client.removeAll(true)).isPositive();
    assertBothMiss("all-1");
    assertThat(client.removeAll(true)).isZero();
  }

  void closesAndTakesItsObjectsAlong() {
    putAll("left behind");
    assertThat(client.close()).isEqualTo(OK);
    assertThat(reader.isExist("left behind")).isZero();
    assertThat(reader.close()).isEqualTo(OK);
  }

  /** Stores as much as the master lets it; gives how many objects it took so far. */
  private int fill() {
    fills++;
    JsonNode taken =
        client.call(
            "fill", Map.of("prefix", "fill-" + fills + "-", "count", 16, "size", FILL_BYTES));
    filled += taken.get("stored").size();
    return filled;
  }

  private void putAll(String... keys) {
    for (String key : keys) {
      assertThat(client.put(key, new Content(key, 2 * KIB))).as("put of %s", key).isEqualTo(OK);
    }
  }

  private void assertBothRead(String key, Content content) {
    assertThat(client.get(key)).as("%s, read by its writer", key).isEqualTo(content.digest());
    assertThat(reader.get(key)).as("%s, read by the other", key).isEqualTo(content.digest());
  }

  private void assertBothMiss(String key) {
    assertThat(client.get(key)).as("%s, read by its writer", key).isEqualTo(Digest.NOTHING);
    assertThat(reader.get(key)).as("%s, read by the other", key).isEqualTo(Digest.NOTHING);
  }
}
