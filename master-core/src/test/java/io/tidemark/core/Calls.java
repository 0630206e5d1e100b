package io.tidemark.core;

import static io.tidemark.core.MasterFixture.TENANT;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.object.Group;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Calls that the fixture has no word for: batches, patterns, clears, statuses. */
final class Calls {

  private Calls() {}

  // ---- batches

  static Request.BatchWriteStart batchStart(
      Rpc rpc, Uuid client, List<String> keys, ReplicateConfig config) {
    long[] lengths = new long[keys.size()];
    Arrays.fill(lengths, MasterFixture.KIB);
    return new Request.BatchWriteStart(rpc, client, keys, lengths, config, TENANT);
  }

  static Request.BatchWriteEnd batchEnd(Rpc rpc, Uuid client, List<String> keys) {
    List<OptionalLong> none = Collections.nCopies(keys.size(), OptionalLong.empty());
    return new Request.BatchWriteEnd(rpc, client, keys, none, ReplicaType.ALL, TENANT);
  }

  static Request.BatchWriteRevoke batchRevoke(Rpc rpc, Uuid client, List<String> keys) {
    return new Request.BatchWriteRevoke(rpc, client, keys, ReplicaType.ALL, TENANT);
  }

  static Request.BatchGetReplicaList batchGet(String... keys) {
    return new Request.BatchGetReplicaList(Rpc.BATCH_GET_REPLICA_LIST, List.of(keys), TENANT);
  }

  static Request.BatchExistKey batchExist(String... keys) {
    return new Request.BatchExistKey(Rpc.BATCH_EXIST_KEY, List.of(keys), TENANT, 0, 0);
  }

  static Request.BatchExistKey batchProbe(int policy, long groupSize, String... keys) {
    return new Request.BatchExistKey(Rpc.BATCH_PROBE_KEY, List.of(keys), TENANT, policy, groupSize);
  }

  static Request.BatchRemove batchRemove(boolean force, String... keys) {
    return new Request.BatchRemove(List.of(keys), force, TENANT);
  }

  static List<Boolean> booleans(Reply reply) {
    return ((Reply.Many) reply).results().stream().map(r -> (Boolean) r.value()).toList();
  }

  // ---- scans

  static long removeAll(MasterFixture m, boolean force) {
    return removeAll(m, force, "");
  }

  static long removeAll(MasterFixture m, boolean force, String tenant) {
    return (Long) ((Reply.Bare) m.call(new Request.RemoveAll(force, tenant))).value();
  }

  static Reply removeByRegex(MasterFixture m, String regex, boolean force) {
    return m.call(new Request.RemoveByRegex(regex, force, TENANT));
  }

  /** Keys that a regular expression finds. */
  static Set<String> matching(MasterFixture m, String regex) {
    List<Reply.KeyReplicas> found = value(m.call(new Request.GetReplicaListByRegex(regex, TENANT)));
    return found.stream()
        .map(Reply.KeyReplicas::key)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static Set<String> listed(MasterFixture m) {
    Set<String> keys = new TreeSet<>();
    m.view().forEachReadableKey(TENANT, keys::add);
    return keys;
  }

  static List<String> clear(MasterFixture m, Uuid client, String segment, String... keys) {
    return value(m.call(new Request.BatchReplicaClear(List.of(keys), client, segment, TENANT)));
  }

  // ---- segments

  static int graceful(MasterFixture m, Uuid client, String name, long graceMs) {
    Uuid id = m.segment(name, 0).id();
    return code(m.call(new Request.GracefulUnmountSegment(id, client, graceMs)));
  }

  /** Status by name, UNDEFINED for an unknown one. */
  static SegmentStatus status(MasterFixture m, String name) {
    return orUndefined(m.call(new Request.QuerySegmentStatus(name)));
  }

  static SegmentStatus statusById(MasterFixture m, Uuid id) {
    return orUndefined(m.call(new Request.QuerySegmentStatusById(id)));
  }

  private static SegmentStatus orUndefined(Reply reply) {
    int code = code(reply);
    if (code != 0) {
      assertThat(code).isEqualTo(Codes.SEGMENT_NOT_FOUND);
      return SegmentStatus.UNDEFINED;
    }
    return value(reply);
  }

  // ---- records

  /** Something of an object's record, for what no call shows. */
  static <T> T look(MasterFixture m, String key, Function<ObjectCursor, T> question) {
    ScopedKey scoped = ScopedKey.of(TENANT, key);
    var stripe = m.state().objects().stripeOf(scoped);
    ObjectCursor object = new ObjectCursor();
    stripe.lock();
    try {
      assertThat(stripe.find(scoped, object)).as("record of %s", key).isTrue();
      return question.apply(object);
    } finally {
      stripe.unlock();
    }
  }

  static long pinDeadline(MasterFixture m, String key) {
    return look(m, key, ObjectCursor::pinDeadlineMs);
  }

  /** Id of the object's group, empty for none. */
  static String groupOf(MasterFixture m, String key) {
    Group group = m.state().groups().get(look(m, key, ObjectCursor::groupNumber));
    return group == null ? "" : group.name().key();
  }

  // ---- replicas

  static List<String> endpoints(List<ReplicaDescriptor> replicas) {
    return replicas.stream().map(r -> MasterFixture.memory(r).transportEndpoint()).toList();
  }

  static long address(List<ReplicaDescriptor> replicas) {
    return MasterFixture.memory(replicas.get(0)).bufferAddress();
  }
}
