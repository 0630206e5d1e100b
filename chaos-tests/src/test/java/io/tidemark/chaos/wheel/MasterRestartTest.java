package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Clients outlive their master: it is killed or stopped, comes back on the same port with the same
 * data, and the clients, which nobody tells anything, go on with every object they had.
 */
@RealProcesses
class MasterRestartTest {
  private static final int OK = 0;
  private static final int WRITERS = 8;
  private static final int[] KEYS_BETWEEN_KILLS = {300, 700, 500};
  // A client tries to connect for about 4.3 s, four times, before a call fails.
  private static final Duration GO_ON_LIMIT = Duration.ofSeconds(45);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

  @ParameterizedTest
  @EnumSource(
      value = Release.class,
      names = {"V0_3_13_POST1", "V0_3_14"},
      mode = Mode.INCLUDE)
  void aClientGoesOnAfterAKillAndReadsItsOldObjects(Release release, Evidence evidence) {
    MasterProcess master = startMaster(evidence);
    WheelClient owner = connect(evidence, "owner", release, Host.LOOPBACK, master);
    WheelClient other = connect(evidence, "other", release, Host.LOOPBACK_2, master);
    Map<String, Content> objects = putBoth(owner, other);

    master.kill();
    master.start();
    assertGoesOn(owner, objects);
    assertGoesOn(other, objects);
    assertWritesAndRemoves(owner, other, objects);
  }

  @ParameterizedTest
  @EnumSource(
      value = Release.class,
      names = {"V0_3_13_POST1", "V0_3_14"},
      mode = Mode.INCLUDE)
  void writersThatTryFailedKeysAgainCanReadEveryKeyTheyWereToldIsStored(
      Release release, Evidence evidence) {
    MasterProcess master = startMaster(evidence);
    WheelClient writer = connect(evidence, "writer", release, Host.LOOPBACK, master);
    WheelClient other = connect(evidence, "other", release, Host.LOOPBACK_2, master);
    Writers writers = Writers.start(writer, "written", WRITERS, GO_ON_LIMIT);
    for (int more : KEYS_BETWEEN_KILLS) {
      writers.awaitMore(more);
      master.kill();
      master.start();
    }
    writers.awaitMore(KEYS_BETWEEN_KILLS[0]);
    List<String> keys = writers.stop(KEYS_BETWEEN_KILLS.length + " kills");
    Writers.assertAllEqual(writer, keys);
    Writers.assertAllEqual(other, keys);
  }

  @Test
  void clientsOfAllReleasesGoOnAfterAKill(Evidence evidence) {
    Fleet fleet =
        Fleet.start(evidence, "", MasterProgram.TIDEMARK, List.of(Release.values()), Map.of());
    fleet.setup();
    Map<String, Content> objects = new LinkedHashMap<>();
    for (WheelClient client : fleet.clients()) {
      objects.putAll(put(client, "by " + client.release()));
    }
    fleet.master().kill();
    fleet.master().start();
    Await.until(
        "all clients read all objects, " + objects.size() + " of them",
        GO_ON_LIMIT,
        () -> readable(fleet, objects),
        counts -> counts.values().stream().allMatch(n -> n == objects.size()));
    fleet.clients().forEach(client -> objects.putAll(put(client, "later by " + client.release())));
    fleet.assertAllRead(objects);
  }

  @Test
  void aCleanStopEndsWithZeroAndKeepsEveryObject(Evidence evidence) {
    MasterProcess master = startMaster(evidence);
    WheelClient owner = connect(evidence, "owner", Release.V0_3_14, Host.LOOPBACK, master);
    WheelClient other = connect(evidence, "other", Release.V0_3_14, Host.LOOPBACK_2, master);
    Map<String, Content> objects = putBoth(owner, other);

    assertThat(master.terminate(STOP_LIMIT)).as("exit code after SIGTERM").isZero();
    master.start();
    assertGoesOn(owner, objects);
    assertGoesOn(other, objects);
    assertWritesAndRemoves(owner, other, objects);
  }

  private static MasterProcess startMaster(Evidence evidence) {
    return MasterProcess.start(evidence, "master", MasterProgram.TIDEMARK, Host.LOOPBACK, Map.of());
  }

  private static WheelClient connect(
      Evidence evidence, String name, Release release, Host host, MasterProcess master) {
    WheelClient client = WheelClient.start(evidence, name, release, host);
    assertThat(client.setup(master.address())).as("setup of %s", client).isEqualTo(OK);
    return client;
  }

  private static Map<String, Content> putBoth(WheelClient owner, WheelClient other) {
    Map<String, Content> objects = new LinkedHashMap<>(put(owner, "by owner"));
    objects.putAll(put(other, "by other"));
    return objects;
  }

  /** Half of the objects on the client's own segment, half wherever the master places them. */
  private static Map<String, Content> put(WheelClient client, String prefix) {
    Map<String, Content> objects = new LinkedHashMap<>();
    for (int i = 0; i < 20; i++) {
      String key = prefix + "/" + i;
      objects.put(key, new Content(key, 1 + i * 20_011));
      Map<String, ?> config = i % 2 == 0 ? Map.of("segment", client.endpoint()) : Map.of();
      assertThat(client.put(key, objects.get(key), config))
          .as("put of %s by %s", key, client)
          .isEqualTo(OK);
    }
    return objects;
  }

  private static void assertGoesOn(WheelClient client, Map<String, Content> objects) {
    List<String> keys = List.copyOf(objects.keySet());
    List<Content.Digest> expected = digests(objects);
    long begun = System.nanoTime();
    Await.until(
        client + " reads its old objects, " + keys.size() + " of them",
        GO_ON_LIMIT,
        () -> equal(client.getBatch(keys), expected),
        equal -> equal == keys.size());
    long ms = (System.nanoTime() - begun) / 1_000_000;
    System.out.println(
        client + " reads all its old objects " + ms + " ms after the master listens again");
  }

  /** How many objects each client reads in full, all of them reading at the same time. */
  private static Map<Release, Integer> readable(Fleet fleet, Map<String, Content> objects) {
    Map<Release, Integer> counts = new EnumMap<>(Release.class);
    fleet
        .getAll(objects.keySet())
        .forEach((client, found) -> counts.put(client.release(), equal(found, digests(objects))));
    return counts;
  }

  private static List<Content.Digest> digests(Map<String, Content> objects) {
    return objects.values().stream().map(Content::digest).toList();
  }

  private static int equal(List<Content.Digest> found, List<Content.Digest> expected) {
    return (int)
        IntStream.range(0, expected.size())
            .filter(i -> found.get(i).equals(expected.get(i)))
            .count();
  }

  private static void assertWritesAndRemoves(
      WheelClient client, WheelClient other, Map<String, Content> objects) {
    Map<String, Content> later = put(client, "later");
    later.forEach((key, content) -> assertThat(other.get(key)).isEqualTo(content.digest()));
    for (String key : objects.keySet()) {
      assertThat(client.remove(key, true)).as("remove of %s", key).isEqualTo(OK);
    }
    assertThat(other.batchIsExist(List.copyOf(objects.keySet()))).containsOnly(0);
  }
}
