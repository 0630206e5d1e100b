package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every release works from setup to close with a master that it has to itself. */
@RealProcesses
class SingleWheelTest {
  private static final Map<String, String> SHORT_LEASES = Map.of("default_kv_lease_ttl", "1500");

  static List<Release> releases() {
    return UnderTest.releases();
  }

  @ParameterizedTest
  @MethodSource("releases")
  void everyCallOfAReleaseDoesWhatItDoesUpstream(Release release, Evidence evidence) {
    MasterProcess master =
        MasterProcess.start(evidence, "master", UnderTest.master(), Host.LOOPBACK, SHORT_LEASES);
    WheelClient client = WheelClient.start(evidence, "client", release, Host.LOOPBACK);
    // On an address of its own: 0.3.10.post2 takes what has its host's address for its own memory.
    WheelClient reader = WheelClient.start(evidence, "reader", release, Host.LOOPBACK_2);
    assertThat(client.setup(master.address())).as("setup").isZero();
    assertThat(reader.setup(master.address(), 0)).as("setup without a segment").isZero();

    StoreSteps steps = new StoreSteps(client, reader);
    steps.putsAndGetsObjectsOfManySizes();
    steps.aSecondPutOfAKeyIsDoneAndKeepsTheFirstBytes();
    steps.putsAndGetsBatches();
    steps.upsertsMakeAndReplace();
    steps.tellsWhatExists();
    steps.describesReplicas();
    steps.removesWhatHasNoLeaseAndAnythingByForce();
    steps.removesBatchesAndPatterns();
    steps.clearsReplicas();
    steps.pinnedObjectsOutliveOthersWhenTheStoreIsFull();
    steps.removesAll();
    steps.closesAndTakesItsObjectsAlong();
    master.process().requireAlive();
  }
}
