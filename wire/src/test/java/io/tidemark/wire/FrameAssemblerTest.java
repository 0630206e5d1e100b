package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames are cut out of the stream as sent, and what no client sends ends the connection. */
class FrameAssemblerTest {

  private final List<String> seen = new ArrayList<>();

  private FrameAssembler assembler(int maxBytes) {
    return new FrameAssembler(
        maxBytes,
        (functionId, seq, buffer, at, length) ->
            seen.add(
                functionId
                    + "/"
                    + seq
                    + "/"
                    + TestVectors.hex(Arrays.copyOfRange(buffer, at, at + length))));
  }

  private static byte[] frame(int functionId, int seq, byte[] body, int attachment) {
    WireBuffer out = new WireBuffer();
    Frames.openRequest(out, functionId, seq);
    out.putBytes(body);
    Frames.closeRequest(out, 0);
    out.setInt(Frames.REQUEST_LENGTH_AT + 4, attachment);
    out.putBytes(new byte[attachment]);
    return out.toBytes();
  }

  private static byte[] header(int length, int attachment) {
    byte[] header = frame(1, 2, new byte[0], 0);
    Frames.INT.set(header, Frames.REQUEST_LENGTH_AT, length);
    Frames.INT.set(header, Frames.REQUEST_LENGTH_AT + 4, attachment);
    return header;
  }

  @Test
  void aWrongFirstByteClosesBeforeTheRestArrives() {
    assertThat(assembler(100).feed(new byte[] {0x16}, 0, 1)).isEqualTo(FrameStatus.BAD_MAGIC);
  }

  @Test
  void aLaterVersionOrAnotherSerialisationCloses() {
    assertThat(assembler(100).feed(new byte[] {0x15, 1}, 0, 2)).isEqualTo(FrameStatus.BAD_VERSION);
    assertThat(assembler(100).feed(new byte[] {0x15, 0, 1}, 0, 3))
        .isEqualTo(FrameStatus.BAD_SERIALIZE_TYPE);
    FrameAssembler split = assembler(100);
    assertThat(split.feed(new byte[] {0x15}, 0, 1)).isEqualTo(FrameStatus.OPEN);
    assertThat(split.feed(new byte[] {1}, 0, 1)).isEqualTo(FrameStatus.BAD_VERSION);
  }

  @Test
  void afterACloseNothingMoreIsHandedOn() {
    FrameAssembler assembler = assembler(100);
    byte[] good = frame(1, 2, new byte[3], 0);
    assembler.feed(new byte[] {0}, 0, 1);
    assertThat(assembler.feed(good, 0, good.length)).isEqualTo(FrameStatus.BAD_MAGIC);
    assertThat(seen).isEmpty();
  }

  @Test
  void framesBeforeABadOneAreHandedOn() {
    byte[] good = frame(1, 2, new byte[1], 0);
    byte[] bytes = Arrays.copyOf(good, good.length + 1);
    assertThat(assembler(100).feed(bytes, 0, bytes.length)).isEqualTo(FrameStatus.BAD_MAGIC);
    assertThat(seen).containsExactly("1/2/00");
  }

  @Test
  void bodyAndAttachmentTogetherMustNotPassTheLimit() {
    assertThat(assembler(100).feed(header(100, 0), 0, 20)).isEqualTo(FrameStatus.OPEN);
    assertThat(assembler(100).feed(header(101, 0), 0, 20)).isEqualTo(FrameStatus.TOO_LARGE);
    assertThat(assembler(100).feed(header(60, 41), 0, 20)).isEqualTo(FrameStatus.TOO_LARGE);
    assertThat(assembler(100).feed(header(-1, -1), 0, 20)).isEqualTo(FrameStatus.TOO_LARGE);
    FrameAssembler split = assembler(100);
    split.feed(header(101, 0), 0, 7);
    assertThat(split.feed(header(101, 0), 7, 13)).isEqualTo(FrameStatus.TOO_LARGE);
  }

  @Test
  void theBufferGrowsWithTheBytesThatArriveNotWithTheLengthThatIsClaimed() {
    FrameAssembler assembler = assembler(Frames.DEFAULT_MAX_BYTES);
    assembler.feed(header(200 * 1024 * 1024, 0), 0, 20);
    assembler.feed(new byte[5000], 0, 5000);
    assertThat(assembler.heldBytes()).isEqualTo(5020);
    assertThat(assembler.heldCapacity()).isLessThan(20_000);
  }

  @Test
  void aLargeBufferIsGivenBackAfterItsFrame() {
    FrameAssembler assembler = assembler(Frames.DEFAULT_MAX_BYTES);
    byte[] large = frame(1, 2, new byte[300_000], 0);
    assembler.feed(large, 0, 1000);
    assembler.feed(large, 1000, large.length - 1000);
    assertThat(seen).hasSize(1);
    assertThat(assembler.heldCapacity()).isZero();
  }

  @Test
  void anAttachmentIsDroppedAndNeverKept() {
    FrameAssembler assembler = assembler(Frames.DEFAULT_MAX_BYTES);
    byte[] frame = frame(5, 6, new byte[] {9}, 1_000_000);
    byte[] next = frame(7, 8, new byte[0], 0);
    for (int at = 0; at < frame.length; at += 1000) {
      assembler.feed(frame, at, Math.min(1000, frame.length - at));
      assertThat(assembler.heldCapacity()).isLessThan(3000);
    }
    assembler.feed(next, 0, next.length);
    assertThat(seen).containsExactly("5/6/09", "7/8/");
  }

  @Test
  void aWholeFrameIsHandedOnWithoutACopy() {
    byte[] chunk = frame(1, 2, new byte[] {3}, 0);
    List<byte[]> buffers = new ArrayList<>();
    FrameAssembler assembler =
        new FrameAssembler(100, (functionId, seq, buffer, at, length) -> buffers.add(buffer));
    assembler.feed(chunk, 0, chunk.length);
    assertThat(buffers.get(0)).isSameAs(chunk);
  }

  @Test
  void anySplitOfAnyFramesGivesTheSameFrames() {
    Random random = new Random(42);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] body = new byte[random.nextInt(8) == 0 ? 0 : random.nextInt(400)];
      random.nextBytes(body);
      int functionId = random.nextInt();
      stream.writeBytes(frame(functionId, i, body, random.nextInt(4) == 0 ? 13 : 0));
      expected.add(functionId + "/" + i + "/" + TestVectors.hex(body));
    }
    byte[] bytes = stream.toByteArray();
    for (int round = 0; round < 50; round++) {
      seen.clear();
      FrameAssembler assembler = assembler(1000);
      int largest = 1 + random.nextInt(1500);
      for (int at = 0; at < bytes.length; ) {
        int taken = Math.min(1 + random.nextInt(largest), bytes.length - at);
        assertThat(assembler.feed(bytes, at, taken)).isEqualTo(FrameStatus.OPEN);
        at += taken;
      }
      assertThat(seen).isEqualTo(expected);
    }
  }

  @Test
  void responsesAreCutOutWhateverTheirMagic() {
    List<String> responses = new ArrayList<>();
    ResponseAssembler assembler =
        new ResponseAssembler(
            100, (error, seq, buffer, at, length) -> responses.add(error + "/" + seq));
    byte[] chunk =
        TestVectors.hex(TestVectors.one("capture.plain.pipeline.responses").path("frame_hex"));
    chunk[0] = 0x63;
    for (byte b : chunk) {
      assembler.feed(new byte[] {b}, 0, 1);
    }
    assertThat(responses).containsExactly("0/0", "0/1");
  }

  @Test
  void aLimitThatNoBufferCanHoldIsRefusedAtOnce() {
    assertThatThrownBy(() -> assembler(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
