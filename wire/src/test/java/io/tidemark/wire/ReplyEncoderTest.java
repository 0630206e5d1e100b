package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.WireProfile;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Answers take the form of the client's release. */
class ReplyEncoderTest {

  private static final List<ReplicaDescriptor> ONE_OF_EACH =
      List.of(
          new ReplicaDescriptor.Dfs(5, "/dfs", 0, 10, 16, 3, 3),
          new ReplicaDescriptor.Memory(1, 10, 20, "tcp", "h:1", 3),
          new ReplicaDescriptor.Nof(2, 10, 20, "nvme", "nqn", 3),
          new ReplicaDescriptor.Disk(3, "/f", 10, 3),
          new ReplicaDescriptor.LocalDisk(4, new Uuid(1, 2), 10, "h:2", 3));

  private final WireBuffer out = new WireBuffer();

  private String frame(Rpc rpc, Reply reply, WireProfile profile) {
    out.clear();
    ReplyEncoder.encode(rpc, reply, profile, 0x01020304, out);
    return TestVectors.hex(out.toBytes());
  }

  private Reply roundTrip(Rpc rpc, Reply reply, WireProfile profile) {
    frame(rpc, reply, profile);
    return ReplyDecoder.decode(
        rpc, 0, out.array(), Frames.RESPONSE_HEADER, out.size() - Frames.RESPONSE_HEADER, profile);
  }

  @Test
  void aSuccessWithoutValueIsTheSameFrameForEveryCallAndRelease() {
    for (WireProfile profile : WireProfile.values()) {
      for (Rpc rpc : List.of(Rpc.PUT_END, Rpc.REMOVE, Rpc.MOUNT_SEGMENT, Rpc.UPSERT_REVOKE)) {
        assertThat(frame(rpc, Reply.OK, profile))
            .isEqualTo("15000000040302010500000000000000cc6828af01");
      }
    }
  }

  @Test
  void anErrorCodeTravelsInsideTheResult() {
    assertThat(frame(Rpc.REMOVE, Reply.error(ErrorCode.OBJECT_NOT_FOUND), WireProfile.MAIN))
        .isEqualTo("15000000040302010900000000000000cc6828af0040fdffff");
  }

  @Test
  void descriptorsThatAReleaseCannotExpressAreLeftOut() {
    Reply reply = Reply.ok(new Reply.ReplicaList(ONE_OF_EACH, 5, OptionalLong.empty()));
    assertThat(replicas(reply, WireProfile.V0_3_10_POST2))
        .extracting("id")
        .containsExactly(1L, 3L, 4L);
    assertThat(replicas(reply, WireProfile.V0_3_11_POST1))
        .extracting("id")
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(replicas(reply, WireProfile.V0_3_12_POST1))
        .extracting("id")
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(replicas(reply, WireProfile.MAIN)).isEqualTo(ONE_OF_EACH);
    assertThat(replicas(reply, WireProfile.V0_3_14)).isEqualTo(ONE_OF_EACH);
  }

  private List<ReplicaDescriptor> replicas(Reply reply, WireProfile profile) {
    Reply.One back = (Reply.One) roundTrip(Rpc.GET_REPLICA_LIST, reply, profile);
    return ((Reply.ReplicaList) back.result().value()).replicas();
  }

  @Test
  void aBatchOfThreeHundredUsesSizesOfTwoBytesThroughout() {
    Reply reply = new Reply.Many(Collections.nCopies(300, Result.ok(ONE_OF_EACH.subList(1, 2))));
    String frame = frame(Rpc.BATCH_PUT_START, reply, WireProfile.MAIN);
    // Hash with flag, metainfo 08, 300 elements; each one value, list of one.
    assertThat(frame.substring(32)).startsWith("036d00ad" + "08" + "2c01" + "01" + "0100");
    assertThat(roundTrip(Rpc.BATCH_PUT_START, reply, WireProfile.MAIN)).isEqualTo(reply);
  }

  @Test
  void anEndpointAtTheBorderOfAWidthIsReadBack() {
    for (int length : new int[] {255, 256, 65_535, 65_536}) {
      ReplicaDescriptor memory =
          new ReplicaDescriptor.Memory(1, 2, 3, "tcp", "\u00e9".repeat(length), 3);
      Reply reply = Reply.ok(List.of(memory));
      assertThat(roundTrip(Rpc.PUT_START, reply, WireProfile.MAIN)).isEqualTo(reply);
    }
  }

  @Test
  void removeAllAnswersABareCountAndZeroWhenRefused() {
    assertThat(frame(Rpc.REMOVE_ALL, new Reply.Bare(42L), WireProfile.MAIN))
        .endsWith("346866862a00000000000000");
    assertThat(
            frame(
                Rpc.REMOVE_ALL,
                Reply.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS),
                WireProfile.MAIN))
        .endsWith("346866860000000000000000");
  }

  @Test
  void severalFramesStandOneAfterTheOtherInABuffer() {
    ReplyEncoder.encode(Rpc.EXIST_KEY, Reply.ok(true), WireProfile.MAIN, 0, out);
    ReplyEncoder.encode(
        Rpc.GET_REPLICA_LIST, Reply.error(ErrorCode.OBJECT_NOT_FOUND), WireProfile.MAIN, 1, out);
    assertThat(TestVectors.hex(out.toBytes()))
        .isEqualTo(TestVectors.one("capture.plain.pipeline.responses").path("frame_hex").asText());
  }

  @Test
  void aReplyThatIsNoneForItsCallLeavesNothingBehind() {
    ReplyEncoder.encode(Rpc.EXIST_KEY, Reply.ok(true), WireProfile.MAIN, 0, out);
    int before = out.size();
    assertThatThrownBy(
            () -> ReplyEncoder.encode(Rpc.EXIST_KEY, Reply.ok("x"), WireProfile.MAIN, 1, out))
        .isInstanceOf(ClassCastException.class);
    assertThatThrownBy(
            () -> ReplyEncoder.encode(Rpc.BATCH_PUT_END, Reply.OK, WireProfile.MAIN, 1, out))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(out.size()).isEqualTo(before);
  }

  @Test
  void theReservedErrorCodeCannotBeSent() {
    for (int code : new int[] {0, 255, -1, 65_536}) {
      assertThatThrownBy(() -> frame(Rpc.PING, new Reply.RpcError(code, "x"), WireProfile.MAIN))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void noTasksIsAnEmptyList() {
    assertThat(frame(Rpc.FETCH_TASKS, Reply.ok(List.of()), WireProfile.MAIN))
        .endsWith("2645e159" + "01" + "00");
  }

  @Test
  void theFormsOfAnAnswerDifferBetweenReleases() {
    Reply reply = Reply.error(ErrorCode.OBJECT_NOT_FOUND);
    List<String> hashes =
        Arrays.stream(WireProfile.values())
            .map(profile -> frame(Rpc.GET_REPLICA_LIST, reply, profile).substring(32, 40))
            .toList();
    assertThat(hashes).containsExactly("40cb6283", "40f4ec75", "40f4ec75", "6c27c688", "6c27c688");
  }
}
