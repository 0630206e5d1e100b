package io.tidemark.benchmarks.figures;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/** The requests of one writer: the single call for one key, the batch call for more. */
record Requests(Uuid client, ReplicateConfig config) {
  static final String TENANT = "default";
  static final long OBJECT_BYTES = 4_096;

  /** One replica anywhere. */
  static Requests of(Uuid client) {
    return new Requests(client, ReplicateConfig.DEFAULT);
  }

  /** The same with replicas on one segment as long as it has room. */
  Requests on(String segment) {
    ReplicateConfig all = ReplicateConfig.DEFAULT;
    return new Requests(
        client,
        new ReplicateConfig(
            all.replicaNum(),
            all.nofReplicaNum(),
            all.dfsReplicaNum(),
            all.softPinAction(),
            all.softPinTtlMs(),
            all.hardPin(),
            List.of(segment),
            all.preferredSegment(),
            all.preferredNofSegments(),
            all.preferAllocInSameNode(),
            all.dataType(),
            all.hostId(),
            all.groupIds()));
  }

  KeyedFrame putStart(int count) {
    if (count == 1) {
      return new KeyedFrame(
          1,
          keys ->
              new Request.WriteStart(
                  Rpc.PUT_START, client, keys.get(0), OBJECT_BYTES, config, TENANT));
    }
    long[] lengths = new long[count];
    Arrays.fill(lengths, OBJECT_BYTES);
    return new KeyedFrame(
        count,
        keys ->
            new Request.BatchWriteStart(
                Rpc.BATCH_PUT_START, client, keys, lengths, config, TENANT));
  }

  KeyedFrame putEnd(int count) {
    if (count == 1) {
      return new KeyedFrame(
          1,
          keys ->
              new Request.WriteEnd(
                  Rpc.PUT_END,
                  client,
                  keys.get(0),
                  OptionalLong.empty(),
                  ReplicaType.MEMORY,
                  TENANT));
    }
    List<OptionalLong> none = Collections.nCopies(count, OptionalLong.empty());
    return new KeyedFrame(
        count,
        keys ->
            new Request.BatchWriteEnd(
                Rpc.BATCH_PUT_END, client, keys, none, ReplicaType.MEMORY, TENANT));
  }

  static KeyedFrame get(int count) {
    return new KeyedFrame(
        count,
        keys ->
            count == 1
                ? new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, keys.get(0), TENANT)
                : new Request.BatchGetReplicaList(Rpc.BATCH_GET_REPLICA_LIST, keys, TENANT));
  }

  static KeyedFrame remove(int count) {
    return new KeyedFrame(count, keys -> new Request.BatchRemove(keys, true, TENANT));
  }
}
