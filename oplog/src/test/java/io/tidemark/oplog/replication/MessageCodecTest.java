package io.tidemark.oplog.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ha.Member;
import io.tidemark.api.log.LogPosition;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Golden bytes of every message; a released form never changes. */
class MessageCodecTest {
  private static final LogPosition AT = new LogPosition(2, 3, 4);

  private static Map<Message, String> golden() {
    Map<Message, String> golden = new LinkedHashMap<>();
    golden.put(
        new Message.Hello(
            1, new UUID(1, 2), new Member(new UUID(3, 4), new UUID(5, 6)), 7, AT, AT, 8),
        "0101 0700000000000000 01000000 01000000000000000200000000000000"
            + "03000000000000000400000000000000 05000000000000000600000000000000"
            + "020000000000000003000000000000000400000000000000"
            + "020000000000000003000000000000000400000000000000 0800000000000000");
    golden.put(
        new Message.Probe(7, List.of(AT)),
        "0201 0700000000000000 01 020000000000000003000000000000000400000000000000");
    golden.put(
        new Message.ProbeAnswer(7, OptionalLong.of(9), OptionalLong.empty()),
        "0301 0700000000000000 01 0900000000000000 00");
    golden.put(
        new Message.Truncate(7, AT, true),
        "0401 0700000000000000 020000000000000003000000000000000400000000000000 01");
    golden.put(
        new Message.Heartbeat(7, 10, 11),
        "0601 0700000000000000 0a00000000000000 0b00000000000000");
    golden.put(
        new Message.Acknowledge(7, 12, 11, 10),
        "0701 0700000000000000 0c00000000000000 0b00000000000000 0a00000000000000");
    golden.put(
        new Message.Refuse(7, 8, Message.Refusal.NO_ROOM, "x"),
        "0801 0700000000000000 0800000000000000 03 0178");
    golden.put(
        new Message.DigestMismatch(7, 1, 2, 3),
        "0901 0700000000000000 0100000000000000 0200000000000000 0300000000000000");
    golden.put(
        new Message.Close(7, Message.Closing.BELOW_BASE, "\u00fc"),
        "0a01 0700000000000000 03 02c3bc");
    golden.put(new Message.SnapshotReceived(7, 258), "0c01 0700000000000000 0201000000000000");
    return golden;
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @Test
  void everyMessageHasItsBytes() {
    golden()
        .forEach(
            (message, hex) -> {
              assertThat(HexFormat.of().formatHex(MessageCodec.write(message)))
                  .as("%s", message)
                  .isEqualTo(hex.replace(" ", ""));
              assertThat(MessageCodec.read(bytes(hex))).isEqualTo(message);
            });
  }

  @Test
  void partsOfASnapshotTravelAsTheyAre() {
    Message.SnapshotPart part = new Message.SnapshotPart(7, AT, 1_000, 5, new byte[] {0, -1});
    byte[] expected =
        bytes(
            "0b01 0700000000000000 020000000000000003000000000000000400000000000000"
                + "e803000000000000 0500000000000000 02 00ff");
    assertThat(MessageCodec.write(part)).isEqualTo(expected);
    Message.SnapshotPart read = (Message.SnapshotPart) MessageCodec.read(expected);
    assertThat(read.position()).isEqualTo(AT);
    assertThat(read.bytes()).containsExactly(0, -1);
  }

  @Test
  void recordsTravelAsTheyAre() {
    byte[] record = {0, -1, 7};
    Message.Append append =
        new Message.Append(7, AT, 9, List.of(new Message.Shipped(record, true)));
    byte[] expected =
        bytes(
            "0501 0700000000000000 020000000000000003000000000000000400000000000000"
                + " 0900000000000000 01 01 0300ff07");
    assertThat(MessageCodec.write(append)).isEqualTo(expected);
    Message.Append read = (Message.Append) MessageCodec.read(expected);
    assertThat(read.records()).hasSize(1);
    assertThat(read.records().get(0).record()).isEqualTo(record);
    assertThat(read.records().get(0).batchEnd()).isTrue();
    assertThat(read.previous()).isEqualTo(AT);
    assertThat(read.commitIndex()).isEqualTo(9);
  }

  @Test
  void whatIsNoMessageIsRefused() {
    for (String hex : golden().values()) {
      byte[] whole = bytes(hex);
      for (int length = 0; length < whole.length; length++) {
        byte[] cut = Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> MessageCodec.read(cut))
            .isInstanceOf(MalformedMessageException.class);
      }
      byte[] longer = Arrays.copyOf(whole, whole.length + 1);
      assertThatThrownBy(() -> MessageCodec.read(longer))
          .isInstanceOf(MalformedMessageException.class);
    }
    assertThatThrownBy(() -> MessageCodec.read(bytes("0102 0000000000000000")))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("version 2");
    assertThatThrownBy(() -> MessageCodec.read(bytes("6301 0000000000000000")))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("type 99");
  }
}
