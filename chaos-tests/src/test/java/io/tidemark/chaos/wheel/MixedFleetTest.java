package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.RealProcesses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients of all five releases share one master, and with it each other's objects. */
@RealProcesses
class MixedFleetTest {
  private static final int OK = 0;
  private static final int HAS_LEASE = -706;
  private static final Map<String, String> SHORT_LEASES = Map.of("default_kv_lease_ttl", "1500");

  private Fleet fleet;

  @BeforeEach
  void connectAll(Evidence evidence) {
    fleet = Fleet.start(evidence, "", UnderTest.master(), UnderTest.fleet(), SHORT_LEASES);
    fleet.setup();
  }

  @Test
  void everyClientReadsWhatEveryOtherPut() {
    Map<String, Content> objects = new LinkedHashMap<>();
    for (WheelClient client : fleet.clients()) {
      objects.putAll(putSingly(client));
      objects.putAll(putBatch(client));
    }
    fleet.assertAllRead(objects);
    fleet.assertAllSee(List.copyOf(objects.keySet()), true);
    fleet.master().process().requireAlive();
  }

  @Test
  void everyClientReadsWhatAnotherReplaced() {
    Map<String, Content> objects = new LinkedHashMap<>();
    for (WheelClient client : fleet.clients()) {
      objects.putAll(putSingly(client));
    }
    fleet.assertAllRead(objects);
    for (WheelClient client : fleet.clients()) {
      Map<String, Content> replaced = new LinkedHashMap<>();
      String key = owned(next(client));
      replaced.put(key, new Content("replaced by " + client, objects.get(key).size()));
      assertThat(client.upsert(key, replaced.get(key))).as("upsert by %s", client).isEqualTo(OK);
      String other = anywhere(next(client), 0);
      replaced.put(other, new Content("replaced in a batch by " + client, 77_777));
      assertThat(client.upsertBatch(Map.of(other, replaced.get(other)))).isEqualTo(OK);
      fleet.assertAllRead(replaced);
    }
  }

  @Test
  void everyClientSeesTheRemovesOfEveryOther() {
    for (WheelClient client : fleet.clients()) {
      putSingly(client);
      putBatch(client);
    }
    for (WheelClient client : fleet.clients()) {
      WheelClient owner = next(client);
      String single = owned(owner);
      fleet.assertAllSee(List.of(single), true);
      assertThat(client.remove(single, false)).as("under the readers' leases").isEqualTo(HAS_LEASE);
      assertThat(client.remove(single, true)).as("remove by %s", client).isEqualTo(OK);
      List<String> several = List.of(anywhere(owner, 0), anywhere(owner, 1));
      assertThat(client.batchRemove(several, true)).containsExactly(OK, OK);
      String pattern = "^batch of " + fleet.clients().indexOf(owner) + "/.*";
      assertThat(client.removeByRegex(pattern, true)).isEqualTo(batchOf(owner).size());
      List<String> gone = new ArrayList<>(several);
      gone.add(single);
      gone.addAll(batchOf(owner).keySet());
      fleet.assertAllSee(gone, false);
    }
  }

  @Test
  void theObjectsOfAClientThatClosesAreGoneForTheOthers() {
    WheelClient leaving = fleet.clients().get(0);
    Map<String, Content> left = putSingly(leaving);
    assertThat(leaving.close()).isEqualTo(OK);
    for (WheelClient client : fleet.clients().subList(1, fleet.clients().size())) {
      assertThat(client.isExist(owned(leaving))).as("seen by %s", client).isZero();
      assertThat(client.get(owned(leaving)).size()).isZero();
      assertThat(client.put(owned(leaving), left.get(owned(leaving)))).isEqualTo(OK);
      assertThat(client.get(owned(leaving))).isEqualTo(left.get(owned(leaving)).digest());
      assertThat(client.remove(owned(leaving), true)).isEqualTo(OK);
    }
  }

  /** One object on the client's own segment, and two wherever the master places them. */
  private Map<String, Content> putSingly(WheelClient client) {
    Map<String, Content> objects = new LinkedHashMap<>();
    objects.put(owned(client), new Content(owned(client), 300_001));
    assertThat(
            client.put(
                owned(client), objects.get(owned(client)), Map.of("segment", client.endpoint())))
        .as("put by %s", client)
        .isEqualTo(OK);
    JsonNode replicas = client.call("replicas", Map.of("key", owned(client)));
    String address = client.endpoint().substring(0, client.endpoint().indexOf(':') + 1);
    assertThat(replicas.get(0).get("endpoint").asText()).startsWith(address);
    for (int i = 0; i < 2; i++) {
      String key = anywhere(client, i);
      objects.put(key, new Content(key, 1 + i * 1_000_000));
      assertThat(client.put(key, objects.get(key))).as("put by %s", client).isEqualTo(OK);
    }
    return objects;
  }

  private Map<String, Content> putBatch(WheelClient client) {
    assertThat(client.putBatch(batchOf(client))).as("batch put by %s", client).isEqualTo(OK);
    return batchOf(client);
  }

  private Map<String, Content> batchOf(WheelClient client) {
    Map<String, Content> objects = new LinkedHashMap<>();
    for (int i = 0; i < 10; i++) {
      String key = "batch of " + fleet.clients().indexOf(client) + "/" + i;
      objects.put(key, new Content(key, 10 + i * 5_003));
    }
    return objects;
  }

  private String owned(WheelClient client) {
    return "on the segment of " + fleet.clients().indexOf(client);
  }

  private String anywhere(WheelClient client, int number) {
    return "by " + fleet.clients().indexOf(client) + " anywhere/" + number;
  }

  private WheelClient next(WheelClient client) {
    return fleet.clients().get((fleet.clients().indexOf(client) + 1) % fleet.clients().size());
  }
}
