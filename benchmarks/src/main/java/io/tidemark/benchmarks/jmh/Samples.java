package io.tidemark.benchmarks.jmh;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.RequestEncoder;
import io.tidemark.wire.WireBuffer;
import io.tidemark.wire.schema.WireProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/** Requests and answers of the usual size: keys of 34 bytes, one memory replica. */
final class Samples {
  /** Keys of a batch. */
  static final int BATCH = 128;

  static final String TENANT = "default";
  static final Uuid CLIENT = new Uuid(0x1A2B, 3);

  private static final long OBJECT_BYTES = 4096;
  private static final long LEASE_MS = 10_000;

  private Samples() {}

  /** The {@code i}th key. */
  static String key(int i) {
    return String.format("model/layer-00/chunk-hash-%09d", i);
  }

  /** {@code count} keys from the {@code first} on. */
  static List<String> keys(int first, int count) {
    List<String> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(key(first + i));
    }
    return keys;
  }

  static Request.WriteStart putStart(String key) {
    return new Request.WriteStart(
        Rpc.PUT_START, CLIENT, key, OBJECT_BYTES, ReplicateConfig.DEFAULT, TENANT);
  }

  static Request.WriteEnd putEnd(String key) {
    return new Request.WriteEnd(
        Rpc.PUT_END, CLIENT, key, OptionalLong.empty(), ReplicaType.MEMORY, TENANT);
  }

  static Request.Remove remove(String key) {
    return new Request.Remove(key, true, TENANT);
  }

  static Request.GetReplicaList get(String key) {
    return new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, TENANT);
  }

  static Request.BatchWriteStart batchPutStart(List<String> keys) {
    long[] sizes = new long[keys.size()];
    Arrays.fill(sizes, OBJECT_BYTES);
    return new Request.BatchWriteStart(
        Rpc.BATCH_PUT_START, CLIENT, keys, sizes, ReplicateConfig.DEFAULT, TENANT);
  }

  static Request.BatchWriteEnd batchPutEnd(List<String> keys) {
    return new Request.BatchWriteEnd(
        Rpc.BATCH_PUT_END,
        CLIENT,
        keys,
        Collections.nCopies(keys.size(), OptionalLong.empty()),
        ReplicaType.MEMORY,
        TENANT);
  }

  static Request.BatchRemove batchRemove(List<String> keys) {
    return new Request.BatchRemove(keys, true, TENANT);
  }

  static Request.BatchGetReplicaList batchGet(List<String> keys) {
    return new Request.BatchGetReplicaList(Rpc.BATCH_GET_REPLICA_LIST, keys, TENANT);
  }

  /** A request as v0.3.13.post1 sends it, in plain form. */
  static byte[] frame(Request request) {
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(request, WireProfile.MAIN, 1, false, out);
    return out.toBytes();
  }

  /** Answer of PutStart. */
  static Reply started() {
    return Reply.ok(List.of(memory(ReplicaStatus.PROCESSING.code())));
  }

  /** Answer of GetReplicaList. */
  static Reply found() {
    return new Reply.One(foundResult());
  }

  /** Answer of BatchGetReplicaList. */
  static Reply foundMany() {
    return new Reply.Many(Collections.nCopies(BATCH, foundResult()));
  }

  private static Result<Reply.ReplicaList> foundResult() {
    return Result.ok(
        new Reply.ReplicaList(
            List.of(memory(ReplicaStatus.COMPLETE.code())), LEASE_MS, OptionalLong.empty()));
  }

  private static ReplicaDescriptor memory(int status) {
    return new ReplicaDescriptor.Memory(
        77, OBJECT_BYTES, 0x7f00_1234_5000L, "tcp", "10.11.12.13:17812", status);
  }
}
