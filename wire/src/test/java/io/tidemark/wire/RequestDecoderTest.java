package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.wire.schema.FunctionIds;
import io.tidemark.wire.schema.WireProfile;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests of every release come out with one meaning. */
class RequestDecoderTest {

  private static final Uuid CLIENT = new Uuid(0xfedcba9876543210L, 5);

  private final RequestDecoder decoder = new RequestDecoder();
  private final ProfileRegistry registry = new ProfileRegistry();

  private Request through(Request request, WireProfile profile) {
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(request, profile, 1, true, out);
    DecodedRequest decoded =
        decoder.decode(
            FunctionIds.of(request.rpc()),
            out.array(),
            Frames.REQUEST_HEADER,
            out.size() - Frames.REQUEST_HEADER,
            registry.connection("10.0.0.1"));
    return ((DecodedRequest.Call) decoded).request();
  }

  private static ReplicateConfig config(int softPin) {
    return new ReplicateConfig(
        2,
        1,
        1,
        softPin,
        OptionalLong.of(9),
        true,
        List.of("a"),
        "b",
        List.of("c"),
        true,
        7,
        "h",
        Optional.of(List.of("g")));
  }

  private ReplicateConfig configThrough(int softPin, WireProfile profile) {
    Request put = new Request.WriteStart(Rpc.PUT_START, CLIENT, "k", 1, config(softPin), "t");
    return ((Request.WriteStart) through(put, profile)).config();
  }

  @Test
  void keysAtTheBordersOfTheWidthsAreReadInEveryRelease() {
    for (WireProfile profile : WireProfile.values()) {
      for (int length : new int[] {0, 1, 255, 256, 65_535, 65_536}) {
        Request request = new Request.ExistKey(Rpc.EXIST_KEY, "x".repeat(length), "default");
        if (profile.signature(request.rpc()).isPresent()) {
          assertThat(through(request, profile)).isEqualTo(request);
        }
      }
    }
  }

  @Test
  void aKeyOfAnyBytesSurvives() {
    StringBuilder key = new StringBuilder();
    IntStream.range(0, 256).forEach(c -> key.append((char) c));
    Request request = new Request.Remove(key.toString(), true, "default");
    assertThat(through(request, WireProfile.MAIN)).isEqualTo(request);
  }

  @Test
  void aBatchOfThreeHundredKeysIsRead() {
    Request request =
        new Request.BatchGetReplicaList(
            Rpc.BATCH_GET_REPLICA_LIST, Collections.nCopies(300, "key"), "default");
    assertThat(through(request, WireProfile.MAIN)).isEqualTo(request);
  }

  @Test
  void aReleaseWithoutTenantsMeansTheDefaultTenant() {
    Request request = new Request.RemoveAll(true, "blue");
    assertThat(through(request, WireProfile.V0_3_11_POST1))
        .isEqualTo(new Request.RemoveAll(true, "default"));
    assertThat(through(request, WireProfile.V0_3_12_POST1)).isEqualTo(request);
  }

  @Test
  void theSoftPinFlagOfOlderReleasesEnablesOrPreserves() {
    assertThat(configThrough(1, WireProfile.V0_3_12_POST1).softPinAction()).isEqualTo(1);
    assertThat(configThrough(0, WireProfile.V0_3_12_POST1).softPinAction()).isZero();
    assertThat(configThrough(2, WireProfile.V0_3_12_POST1).softPinAction()).isZero();
    assertThat(configThrough(1, WireProfile.V0_3_12_POST1).softPinTtlMs()).isEmpty();
    assertThat(configThrough(200, WireProfile.MAIN).softPinAction()).isEqualTo(200);
  }

  @Test
  void eachReleaseKeepsTheMembersThatItHas() {
    ReplicateConfig all = config(1);
    assertThat(configThrough(1, WireProfile.MAIN)).isEqualTo(all);
    assertThat(configThrough(1, WireProfile.V0_3_14)).isEqualTo(all);
    assertThat(configThrough(1, WireProfile.V0_3_12_POST1))
        .isEqualTo(
            new ReplicateConfig(
                2,
                1,
                0,
                1,
                OptionalLong.empty(),
                true,
                List.of("a"),
                "b",
                List.of("c"),
                true,
                7,
                "h",
                Optional.of(List.of("g"))));
    assertThat(configThrough(1, WireProfile.V0_3_11_POST1))
        .isEqualTo(
            new ReplicateConfig(
                2,
                1,
                0,
                1,
                OptionalLong.empty(),
                true,
                List.of("a"),
                "b",
                List.of("c"),
                true,
                7,
                "",
                Optional.empty()));
    assertThat(configThrough(1, WireProfile.V0_3_10_POST2))
        .isEqualTo(
            new ReplicateConfig(
                2,
                0,
                0,
                1,
                OptionalLong.empty(),
                true,
                List.of("a"),
                "b",
                List.of(),
                true,
                0,
                "",
                Optional.empty()));
  }

  @Test
  void aBatchEndWithoutReplicaTypeMeansMemoryForPutsAndAllForUpserts() {
    for (Rpc rpc : List.of(Rpc.BATCH_PUT_END, Rpc.BATCH_UPSERT_END)) {
      Request end =
          new Request.BatchWriteEnd(
              rpc, CLIENT, List.of("k"), List.of(OptionalLong.of(3)), ReplicaType.DISK, "t");
      Request.BatchWriteEnd old = (Request.BatchWriteEnd) through(end, WireProfile.V0_3_10_POST2);
      boolean put = rpc == Rpc.BATCH_PUT_END;
      assertThat(old.replicaType()).isEqualTo(put ? ReplicaType.MEMORY : ReplicaType.ALL);
      assertThat(old.checksums()).containsExactly(OptionalLong.empty());
      Request.BatchWriteEnd main = (Request.BatchWriteEnd) through(end, WireProfile.MAIN);
      assertThat(main.replicaType()).isEqualTo(put ? ReplicaType.DISK : ReplicaType.ALL);
      assertThat(main.checksums()).containsExactly(OptionalLong.of(3));
    }
  }

  @Test
  void everySegmentCallIsReadWithItsArgumentsInPlace() {
    SegmentInfo segment = new SegmentInfo(new Uuid(1, 2), "n", -1, 4, "te", "rdma", "host");
    List<Request> requests =
        List.of(
            new Request.MountSegment(segment, CLIENT),
            new Request.ReMountSegment(List.of(segment, segment), CLIENT),
            new Request.UnmountSegment(new Uuid(1, 2), CLIENT),
            new Request.GracefulUnmountSegment(new Uuid(1, 2), CLIENT, 30_000),
            new Request.QuerySegmentStatus("n"),
            new Request.QuerySegmentStatusById(new Uuid(1, 2)),
            new Request.BatchQueryIp(List.of(CLIENT, new Uuid(1, 2))),
            new Request.FetchTasks(CLIENT, 16),
            new Request.BatchReplicaClear(List.of("a"), CLIENT, "seg", "t"),
            new Request.GetReplicaListByRegex("a.*", "t"),
            new Request.RemoveByRegex("a.*", true, "t"),
            new Request.BatchRemove(List.of("a", "b"), true, "t"),
            new Request.BatchWriteRevoke(Rpc.BATCH_PUT_REVOKE, CLIENT, List.of("a"), 3, "t"),
            new Request.BatchExistKey(Rpc.BATCH_PROBE_KEY, List.of("a", "b"), "t", 1, 2));
    for (Request request : requests) {
      assertThat(through(request, WireProfile.V0_3_14)).isEqualTo(request);
    }
  }

  @Test
  void bothFormsOfReplicaClearAreRead() {
    Request clear = new Request.BatchReplicaClear(List.of("a"), CLIENT, "seg", "blue");
    assertThat(through(clear, WireProfile.V0_3_14)).isEqualTo(clear);
    assertThat(((Request.BatchReplicaClear) through(clear, WireProfile.MAIN)).tenant())
        .isEqualTo("default");
  }

  @Test
  void aCallThatAReleaseDoesNotKnowCannotBeWrittenForIt() {
    WireBuffer out = new WireBuffer();
    Request probe = new Request.ExistKey(Rpc.PROBE_KEY, "k", "default");
    assertThatThrownBy(() -> RequestEncoder.encode(probe, WireProfile.MAIN, 1, false, out))
        .isInstanceOf(IllegalArgumentException.class);
    Request unserved = new Request.Unserved(Rpc.COPY_START, 1);
    assertThatThrownBy(() -> RequestEncoder.encode(unserved, WireProfile.MAIN, 1, false, out))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(out.size()).isZero();
  }
}
