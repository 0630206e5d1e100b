package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.Network;
import io.tidemark.chaos.process.Release;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A master and several clients in a network of their own, each client in a namespace with an
 * address of its own: by that a master that knows several releases can tell them apart.
 */
final class Fleet {
  private final MasterProcess master;
  private final List<WheelClient> clients = new ArrayList<>();

  private Fleet(MasterProcess master) {
    this.master = master;
  }

  /**
   * Starts the master and the clients' processes, which are not connected yet.
   *
   * @param name begins the names of all files; another one for each fleet of a test
   */
  static Fleet start(
      Evidence evidence,
      String name,
      MasterProgram program,
      List<Release> releases,
      Map<String, String> flags) {
    Network network = Network.open(evidence);
    Fleet fleet =
        new Fleet(MasterProcess.start(evidence, name + "master", program, network.hub(), flags));
    for (Release release : releases) {
      String clientName = name + "client-" + (fleet.clients.size() + 1) + "-" + release;
      fleet.clients.add(WheelClient.start(evidence, clientName, release, network.addHost()));
    }
    return fleet;
  }

  MasterProcess master() {
    return master;
  }

  List<WheelClient> clients() {
    return List.copyOf(clients);
  }

  /** Ends the clients that don't fit, without leave; the others are the fleet from now on. */
  void keep(Predicate<WheelClient> fits) {
    clients.stream().filter(fits.negate()).forEach(client -> client.process().close());
    clients.removeIf(fits.negate());
  }

  /** Connects all clients. */
  void setup() {
    String address = master.address();
    forAll("setup", client -> client.setupArguments(address, WheelClient.SEGMENT_BYTES))
        .forEach((client, code) -> assertThat(code.asInt()).as("setup of %s", client).isZero());
  }

  /** Ends all its processes, without leave. */
  void end() {
    clients.forEach(client -> client.process().close());
    master.process().close();
  }

  /** All clients do the same at the same time, with arguments of their own; all answers. */
  Map<WheelClient, JsonNode> forAll(
      String operation, Function<WheelClient, Map<String, ?>> arguments) {
    Map<WheelClient, CompletableFuture<JsonNode>> answers = new LinkedHashMap<>();
    clients.forEach(client -> answers.put(client, client.send(operation, arguments.apply(client))));
    Map<WheelClient, JsonNode> values = new LinkedHashMap<>();
    answers.forEach((client, answer) -> values.put(client, client.await(operation, answer)));
    return values;
  }

  /** All clients read these objects at the same time, and every byte is compared. */
  void assertAllRead(Map<String, Content> objects) {
    Map<String, Content.Digest> expected = new LinkedHashMap<>();
    objects.forEach((key, content) -> expected.put(key, content.digest()));
    getAll(objects.keySet())
        .forEach(
            (client, found) ->
                assertThat(byKey(objects.keySet(), found))
                    .as("read by %s", client)
                    .isEqualTo(expected));
  }

  /** What each client reads, in the order of the keys, all of them reading at the same time. */
  Map<WheelClient, List<Content.Digest>> getAll(Set<String> keys) {
    Map<WheelClient, List<Content.Digest>> found = new LinkedHashMap<>();
    forAll("get_batch", client -> Map.of("keys", keys))
        .forEach((client, answer) -> found.put(client, WheelClient.digests(answer)));
    return found;
  }

  /** All clients find these keys, or none of them does. */
  void assertAllSee(List<String> keys, boolean there) {
    forAll("batch_is_exist", client -> Map.of("keys", keys))
        .forEach(
            (client, found) ->
                assertThat(WheelClient.strings(found))
                    .as("seen by %s", client)
                    .containsOnly(there ? "1" : "0"));
  }

  private static Map<String, Content.Digest> byKey(Set<String> keys, List<Content.Digest> digests) {
    Map<String, Content.Digest> found = new LinkedHashMap<>();
    int i = 0;
    for (String key : keys) {
      found.put(key, digests.get(i++));
    }
    return found;
  }
}
