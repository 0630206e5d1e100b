package io.tidemark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.ThreadMXBean;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.FunctionIds;
import io.tidemark.wire.schema.WireProfile;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever bytes arrive: a request, a refusal or a close, and memory in proportion. */
class MutatedFramesTest {

  private static final int REQUESTS = 1_000_000;
  private static final int RESPONSES = 200_000;
  private static final int LARGEST_SEED = 4096;

  /** Bytes allocated for a frame, per byte of it and in addition: objects are larger than bytes. */
  private static final int PER_BYTE = 100;

  private static final int IN_ADDITION = 16 * 1024;

  private final Random random = new Random(0xC0FFEE);
  private final ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private int calls;
  private int refusals;
  private int elements;

  private static List<byte[]> requestFrames() {
    List<byte[]> frames = new ArrayList<>();
    TestVectors.CAPTURES.stream()
        .filter(TestVectors::isRequest)
        .forEach(entry -> frames.add(TestVectors.hex(entry.path("frame_hex"))));
    for (JsonNode entry : TestVectors.bySource("generated").filter(TestVectors::isCall).toList()) {
      if (TestVectors.isRequest(entry) && entry.path("body_hex").asText().length() < LARGEST_SEED) {
        WireBuffer out = new WireBuffer();
        Frames.openRequest(out, FunctionIds.of(TestVectors.rpc(entry)), 1);
        out.putBytes(TestVectors.hex(entry.path("body_hex")));
        Frames.closeRequest(out, 0);
        frames.add(out.toBytes());
      }
    }
    return frames;
  }

  private byte[] mutated(byte[] seed, List<byte[]> seeds, int header) {
    byte[] frame = seed.clone();
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes && frame.length > 0; i++) {
      int at = random.nextInt(frame.length);
      switch (random.nextInt(7)) {
        case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> frame[at] = (byte) random.nextInt();
        case 2 -> frame = Arrays.copyOf(frame, at);
        case 3 -> Arrays.fill(frame, at, Math.min(frame.length, at + 8), (byte) 0xff);
        case 4 -> frame = Arrays.copyOf(frame, frame.length + random.nextInt(9));
        case 5 -> frame = spliced(frame, at, seeds.get(random.nextInt(seeds.size())));
        default -> {
          if (frame.length > header + 4) {
            frame[header] |= 1;
            frame[header + 4] = (byte) random.nextInt();
          }
        }
      }
    }
    return frame;
  }

  private byte[] spliced(byte[] frame, int at, byte[] other) {
    byte[] joined = Arrays.copyOf(frame, at + other.length);
    System.arraycopy(other, 0, joined, at, other.length);
    return joined;
  }

  @Test
  void aMillionMutatedRequestsNeitherThrowNorAllocateOutOfProportion() {
    List<byte[]> seeds = requestFrames();
    RequestDecoder decoder = new RequestDecoder();
    ProfileRegistry registry = new ProfileRegistry(WireProfile.MAIN, 64);
    PeerProfile peer = registry.connection("10.0.0.1");
    for (int i = 0; i < REQUESTS; i++) {
      byte[] frame = mutated(seeds.get(i % seeds.size()), seeds, Frames.REQUEST_HEADER);
      boolean repairLength = random.nextInt(8) != 0;
      if (repairLength && frame.length >= Frames.REQUEST_HEADER) {
        int body = frame.length - Frames.REQUEST_HEADER;
        Frames.INT.set(frame, Frames.REQUEST_LENGTH_AT, body);
        Frames.INT.set(frame, Frames.REQUEST_LENGTH_AT + 4, 0);
      }
      long before = memory.getCurrentThreadAllocatedBytes();
      FrameAssembler assembler =
          new FrameAssembler(
              1 << 20,
              (functionId, seq, buffer, at, length) -> {
                elements = 0;
                count(decoder.decode(functionId, buffer, at, length, peer));
                if (elements > length) {
                  throw new AssertionError(elements + " elements from " + length + " bytes");
                }
              });
      assembler.feed(frame, 0, frame.length);
      long allocated = memory.getCurrentThreadAllocatedBytes() - before;
      boolean warm = i >= seeds.size();
      if (warm && allocated > (long) PER_BYTE * frame.length + IN_ADDITION) {
        throw new AssertionError(allocated + " bytes for " + TestVectors.hex(frame));
      }
    }
    assertThat(calls).isGreaterThan(100_000);
    assertThat(refusals).isGreaterThan(100_000);
  }

  private void count(DecodedRequest decoded) {
    if (decoded instanceof DecodedRequest.Refusal refusal) {
      int code = refusal.reply().rpcCode();
      if (code != RpcCodes.INVALID_ARGUMENTS && code != RpcCodes.FUNCTION_NOT_REGISTERED) {
        throw new AssertionError("refused with " + code);
      }
      refusals++;
      return;
    }
    calls++;
    Request request = ((DecodedRequest.Call) decoded).request();
    if (request instanceof Request.BatchExistKey batch) {
      elements = batch.keys().size();
    } else if (request instanceof Request.BatchGetReplicaList batch) {
      elements = batch.keys().size();
    } else if (request instanceof Request.BatchWriteStart batch) {
      elements = batch.keys().size() + batch.sliceLengths().length;
    } else if (request instanceof Request.BatchWriteEnd batch) {
      elements = batch.keys().size();
    } else if (request instanceof Request.ReMountSegment mount) {
      elements = mount.segments().size();
    } else if (request instanceof Request.Unserved unserved) {
      elements = unserved.itemCount() == 1 ? 0 : unserved.itemCount();
    }
  }

  @Test
  void mutatedResponsesGiveAReplyOrAMalformedMessage() {
    List<JsonNode> responses =
        TestVectors.CAPTURES.stream().filter(entry -> !TestVectors.isRequest(entry)).toList();
    List<byte[]> seeds = responses.stream().map(TestVectors::body).toList();
    int replies = 0;
    for (int i = 0; i < RESPONSES; i++) {
      JsonNode response = responses.get(i % responses.size());
      Rpc rpc = TestVectors.rpc(response);
      WireProfile profile = TestVectors.profile(response);
      byte[] body = mutated(seeds.get(i % seeds.size()), seeds, 0);
      try {
        ReplyDecoder.decode(rpc, 0, body, 0, body.length, profile);
        DynamicCodec.decodeResult(rpc, profile, body, 0, body.length);
        replies++;
      } catch (MalformedMessageException expected) {
        assertThat(expected.reason().rpcCode()).isEqualTo(4);
      }
    }
    assertThat(replies).isGreaterThan(10_000);
  }
}
