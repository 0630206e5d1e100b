package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * A client that lends one segment and writes there, call by call, for tests that need a few objects
 * and no load. Whatever it asks for has to be done.
 */
final class OneClient {
  private static final String TENANT = "default";
  private static final String ENDPOINT = "127.0.0.1:19777";
  private static final long CHECKSUM = 7;

  private final FollowingCaller caller;
  private final Uuid id = new Uuid(0xABC, 1);
  private final SegmentInfo segment;

  /**
   * @param segmentBytes of memory that nobody touches
   */
  OneClient(FollowingCaller caller, long segmentBytes) {
    this.caller = caller;
    segment =
        new SegmentInfo(new Uuid(0x5E6, 1), ENDPOINT, 1L << 45, segmentBytes, ENDPOINT, "tcp", "");
  }

  /** Lends its segment. */
  void mount() throws IOException {
    require(new Request.MountSegment(segment, id));
    remount();
  }

  /** Lends it as a client does that a new leader asks to. */
  void remount() throws IOException {
    require(new Request.ReMountSegment(List.of(segment), id));
  }

  void put(String key, long bytes) throws IOException {
    start(key, bytes);
    require(
        new Request.WriteEnd(
            Rpc.PUT_END, id, key, OptionalLong.of(CHECKSUM), ReplicaType.MEMORY, TENANT));
  }

  /** Begins a put and leaves it at that. */
  void start(String key, long bytes) throws IOException {
    require(new Request.WriteStart(Rpc.PUT_START, id, key, bytes, ReplicateConfig.DEFAULT, TENANT));
  }

  void remove(String key) throws IOException {
    require(new Request.Remove(key, true, TENANT));
  }

  void requireThere(Collection<String> keys) throws IOException {
    for (String key : keys) {
      Result<?> there = caller.one(new Request.ExistKey(Rpc.EXIST_KEY, key, TENANT));
      assertThat(there).as(key).isEqualTo(Result.ok(true));
    }
  }

  private void require(Request request) throws IOException {
    Result<?> result = caller.one(request);
    assertThat(result.isOk()).as("%s: %s", request, result).isTrue();
  }
}
