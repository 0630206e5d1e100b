package io.tidemark.benchmarks.bench;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.benchmarks.FrameTemplate;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requests of a load, encoded once as a release's clients do; only keys change. Shared by all
 * connections, since one thread patches and sends.
 */
final class Requests {
  static final String TENANT = "default";

  private final BenchPlan plan;
  private final Uuid client;
  private final ReplicateConfig config;
  private final Map<Rpc, FrameTemplate> templates = new EnumMap<>(Rpc.class);

  /**
   * Encodes them.
   *
   * @param client the one that lends memory
   * @param segmentName of its segments, which its objects shall prefer: what other clients lend
   *     stays free for them
   */
  Requests(BenchPlan plan, Uuid client, String segmentName) {
    this.plan = plan;
    this.client = client;
    this.config = preferring(segmentName);
    List<String> one = FrameTemplate.placeholders(1, plan.keyBytes());
    single(one.get(0)).forEach(request -> add(request, one));
    List<String> many = FrameTemplate.placeholders(plan.batch(), plan.keyBytes());
    batched(many).forEach(request -> add(request, many));
  }

  private void add(Request request, List<String> keys) {
    templates.put(request.rpc(), new FrameTemplate(request, keys, plan.release().profile(), true));
  }

  private List<Request> single(String key) {
    return List.of(
        new Request.WriteStart(Rpc.PUT_START, client, key, plan.valueBytes(), config, TENANT),
        new Request.WriteEnd(
            Rpc.PUT_END, client, key, OptionalLong.empty(), ReplicaType.MEMORY, TENANT),
        new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, TENANT),
        new Request.ExistKey(Rpc.EXIST_KEY, key, TENANT),
        new Request.Remove(key, true, TENANT));
  }

  private List<Request> batched(List<String> keys) {
    long[] lengths = new long[keys.size()];
    Arrays.fill(lengths, plan.valueBytes());
    List<OptionalLong> noSums = Collections.nCopies(keys.size(), OptionalLong.empty());
    return List.of(
        new Request.BatchWriteStart(Rpc.BATCH_PUT_START, client, keys, lengths, config, TENANT),
        new Request.BatchWriteEnd(
            Rpc.BATCH_PUT_END, client, keys, noSums, ReplicaType.MEMORY, TENANT),
        new Request.BatchGetReplicaList(Rpc.BATCH_GET_REPLICA_LIST, keys, TENANT),
        new Request.BatchExistKey(Rpc.BATCH_EXIST_KEY, keys, TENANT, 0, 0));
  }

  private static ReplicateConfig preferring(String segmentName) {
    ReplicateConfig d = ReplicateConfig.DEFAULT;
    return new ReplicateConfig(
        d.replicaNum(),
        d.nofReplicaNum(),
        d.dfsReplicaNum(),
        d.softPinAction(),
        d.softPinTtlMs(),
        d.hardPin(),
        List.of(segmentName),
        d.preferredSegment(),
        d.preferredNofSegments(),
        d.preferAllocInSameNode(),
        d.dataType(),
        d.hostId(),
        Optional.empty());
  }

  /** The bytes of a call, to be patched with keys and a sequence number. */
  FrameTemplate of(Rpc rpc) {
    return templates.get(rpc);
  }
}
