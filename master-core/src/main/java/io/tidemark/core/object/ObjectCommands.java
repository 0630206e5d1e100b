package io.tidemark.core.object;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.EventSink;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import io.tidemark.core.table.Stripe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Runs object calls: for each key, under its stripe's lock, decide and apply (so that no lease can
 * be granted in between, COR-06), item by item for batches (the second item sees the first).
 *
 * <p>Called by the holder of the core role.
 */
public final class ObjectCommands {
  private final EventSink sink;
  private final ObjectCursor cursor = new ObjectCursor();
  private boolean allocationFailed;

  public ObjectCommands(EventSink sink) {
    this.sink = sink;
  }

  /**
   * Whether an allocation failed since the last call, though enough segments are there; wakes the
   * eviction.
   */
  public boolean takeAllocationFailed() {
    boolean failed = allocationFailed;
    allocationFailed = false;
    return failed;
  }

  // ---- starts

  public Reply writeStart(ObjectContext context, Request.WriteStart call, long connectionId) {
    ReplicateConfig config = call.config();
    Optional<List<String>> groups = config.groupIds();
    if (groups.isPresent() && groups.get().size() != 1) {
      ObjectKey key = new ObjectKey(call.tenant(), call.key());
      Optional<ErrorCode> earlier =
          WriteStartRules.check(context.config(), key, call.sliceLength(), config);
      return Reply.error(earlier.orElse(ErrorCode.INVALID_PARAMS));
    }
    WriteItem item =
        item(call.clientId(), call.key(), call.sliceLength(), config, call.tenant(), 0, "");
    learnHost(context, call.clientId(), config);
    boolean upsert = call.rpc() == Rpc.UPSERT_START;
    Result<List<ReplicaDescriptor>> result = start(context, item, upsert, connectionId);
    countExists(context, result, CoreMetric.PUT_START_ALREADY_EXISTS);
    return new Reply.One(result);
  }

  public Reply batchWriteStart(
      ObjectContext context, Request.BatchWriteStart call, long connectionId) {
    int count = call.keys().size();
    Optional<List<String>> groups = call.config().groupIds();
    if (count != call.sliceLengths().length || groups.isPresent() && groups.get().size() != count) {
      return Reply.errors(ErrorCode.INVALID_PARAMS, count);
    }
    boolean upsert = call.rpc() == Rpc.BATCH_UPSERT_START;
    boolean chain = !upsert && call.config().preferAllocInSameNode();
    String preferred = "";
    learnHost(context, call.clientId(), call.config());
    List<Result<List<ReplicaDescriptor>>> results = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      WriteItem item =
          item(
              call.clientId(),
              call.keys().get(i),
              call.sliceLengths()[i],
              call.config(),
              call.tenant(),
              i,
              preferred);
      Result<List<ReplicaDescriptor>> result = start(context, item, upsert, connectionId);
      countExists(context, result, CoreMetric.BATCH_PUT_START_ALREADY_EXISTS);
      if (chain && preferred.isEmpty() && result.isOk()) {
        preferred = lastMemoryEndpoint(result.value());
      }
      results.add(result);
    }
    return new Reply.Many(results);
  }

  private static WriteItem item(
      Uuid client,
      String key,
      long length,
      ReplicateConfig config,
      String tenant,
      int i,
      String preferred) {
    ObjectKey objectKey = new ObjectKey(tenant, key);
    Optional<String> group = config.groupIds().map(ids -> ids.get(i));
    return new WriteItem(
        client, objectKey, ScopedKey.of(objectKey), length, config, group, preferred);
  }

  private Result<List<ReplicaDescriptor>> start(
      ObjectContext context, WriteItem item, boolean upsert, long connectionId) {
    Optional<ErrorCode> illegal =
        WriteStartRules.check(context.config(), item.key(), item.lengthBytes(), item.config());
    if (illegal.isPresent()) {
      return Result.error(illegal.get());
    }
    if (item.groupId().orElse("").length() > WriteStartRules.MAX_GROUP_ID_BYTES) {
      return Result.error(ErrorCode.INVALID_PARAMS);
    }
    Stripe stripe = context.state().objects().stripeOf(item.scopedKey());
    stripe.lock();
    try {
      ObjectCursor object = stripe.find(item.scopedKey(), cursor) ? cursor : null;
      StartOutcome outcome =
          upsert
              ? WriteStartDecider.upsert(context, item, object)
              : WriteStartDecider.put(context, item, object);
      outcome.events().forEach(sink::add);
      noteAllocation(context, item, outcome);
      if (outcome.code() != 0) {
        if (outcome.code() == ErrorCode.OBJECT_ALREADY_EXISTS.value()) {
          keepForWriter(context, object);
        }
        return new Result<>(outcome.code(), null);
      }
      attach(context, item, connectionId);
      stripe.find(item.scopedKey(), cursor);
      return Result.ok(context.rules().valid(cursor));
    } finally {
      stripe.unlock();
    }
  }

  /**
   * A writer who is told that the object exists takes its put for done and will read it: as in
   * v0.3.14 it gets a read lease.
   */
  private static void keepForWriter(ObjectContext context, ObjectCursor object) {
    if (!context.rules().hasReadable(object)) {
      return;
    }
    long untilMs = context.nowMs() + context.config().leaseTtlMs();
    object.extendLease(untilMs);
    Group group = context.state().groups().get(object.groupNumber());
    if (group != null) {
      group.extendLease(untilMs);
    }
  }

  private static void attach(ObjectContext context, WriteItem item, long connectionId) {
    PendingWrite write = context.state().writes().get(item.scopedKey());
    if (write == null) {
      throw new IllegalStateException(
          "a Start of " + item.key() + " succeeded without an unfinished write");
    }
    context.state().writes().attach(write, connectionId);
  }

  private void noteAllocation(ObjectContext context, WriteItem item, StartOutcome outcome) {
    if (outcome.allocationFailed()) {
      context.state().metrics().add(CoreMetric.PUT_START_ALLOC_FAILURES, 1);
      allocationFailed |=
          context.state().segments().allocatableNameCount() >= item.config().replicaNum()
              && item.config().replicaNum() > 0;
    }
    if (outcome.partial()) {
      context.state().metrics().add(CoreMetric.PUT_START_PARTIAL_ALLOCATIONS, 1);
    }
  }

  private void learnHost(ObjectContext context, Uuid clientId, ReplicateConfig config) {
    var client = context.state().segments().client(clientId);
    boolean news =
        !config.hostId().isEmpty()
            && config.hostId().length() <= WriteStartRules.MAX_GROUP_ID_BYTES
            && client != null
            && !client.hostId().equals(config.hostId());
    if (news) {
      sink.add(new Event.HostIdLearned(clientId, config.hostId()));
    }
  }

  private static void countExists(ObjectContext context, Result<?> result, CoreMetric metric) {
    if (result.code() == ErrorCode.OBJECT_ALREADY_EXISTS.value()) {
      context.state().metrics().add(metric, 1);
    }
  }

  private static String lastMemoryEndpoint(List<ReplicaDescriptor> replicas) {
    String endpoint = "";
    for (ReplicaDescriptor replica : replicas) {
      if (replica instanceof ReplicaDescriptor.Memory memory) {
        endpoint = memory.transportEndpoint();
      }
    }
    return endpoint;
  }

  // ---- ends and revokes

  /** PutEnd or UpsertEnd of one key. */
  public Result<Void> end(
      ObjectContext context, ScopedKey key, Uuid client, int replicaType, OptionalLong checksum) {
    WriteEndDecider.Call call = new WriteEndDecider.Call(client, key, replicaType, checksum);
    return underLock(context, key, object -> asItem(WriteEndDecider.end(context, call, object)));
  }

  /** PutRevoke or UpsertRevoke of one key. */
  public Result<Void> revoke(ObjectContext context, ScopedKey key, Uuid client, int replicaType) {
    WriteEndDecider.Call call =
        new WriteEndDecider.Call(client, key, replicaType, OptionalLong.empty());
    return underLock(context, key, object -> asItem(WriteEndDecider.revoke(context, call, object)));
  }

  private static Item asItem(WriteEndDecider.Outcome outcome) {
    return new Item(outcome.code(), outcome.event());
  }

  // ---- removals

  /** Remove and its relatives for one key. */
  public Result<Void> remove(ObjectContext context, ScopedKey key, boolean force, Reason reason) {
    return underLock(
        context,
        key,
        object -> {
          RemoveDecider.Outcome outcome = RemoveDecider.remove(context, key, force, reason, object);
          return new Item(outcome.code(), outcome.event());
        });
  }

  /** BatchReplicaClear: the keys that were cleared, in request order. */
  public Reply clear(ObjectContext context, Request.BatchReplicaClear call) {
    List<String> cleared = new ArrayList<>();
    for (String text : call.keys()) {
      ScopedKey key = ScopedKey.of(call.tenant(), text);
      boolean done =
          change(
              context,
              key,
              object ->
                  RemoveDecider.clear(context, key, call.clientId(), call.segmentName(), object));
      if (done) {
        cleared.add(text);
      }
    }
    return Reply.ok(cleared);
  }

  // ---- the master's own triggers

  /** What an eviction of one candidate did. */
  public record Evicted(int keys, long bytes) {
    public static final Evicted NOTHING = new Evicted(0, 0);

    /** Sum of two. */
    public Evicted plus(Evicted other) {
      return new Evicted(keys + other.keys, bytes + other.bytes);
    }
  }

  /**
   * Evicts a candidate if it still qualifies; with a group, all of its members that qualify
   * (section 19.4).
   */
  public Evicted evict(ObjectContext context, ScopedKey key, boolean softPinnedToo, Reason reason) {
    Group group = groupOf(context, key);
    if (group == null) {
      return evictOne(context, key, softPinnedToo, reason);
    }
    List<ScopedKey> members = List.copyOf(group.members());
    for (ScopedKey member : members) {
      if (isLeased(context, member)) {
        return Evicted.NOTHING;
      }
    }
    Evicted total = Evicted.NOTHING;
    for (ScopedKey member : members) {
      Reason why = member.equals(key) ? reason : Reason.EVICTED_GROUP;
      total = total.plus(evictOne(context, member, softPinnedToo, why));
    }
    return total;
  }

  private Evicted evictOne(
      ObjectContext context, ScopedKey key, boolean softPinnedToo, Reason reason) {
    long[] bytes = new long[1];
    boolean done =
        change(
            context,
            key,
            object -> {
              Optional<Event> event =
                  RemoveDecider.evict(context, key, softPinnedToo, reason, object);
              event.ifPresent(
                  dropped -> bytes[0] = object.sizeBytes() * evictedReplicas(context, object));
              return event;
            });
    return done ? new Evicted(1, bytes[0]) : Evicted.NOTHING;
  }

  private static int evictedReplicas(ObjectContext context, ObjectCursor object) {
    int count = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (object.replicaKind(i) == ReplicaType.MEMORY && context.rules().isReadable(object, i)) {
        count++;
      }
    }
    return count;
  }

  private Group groupOf(ObjectContext context, ScopedKey key) {
    Stripe stripe = context.state().objects().stripeOf(key);
    stripe.lock();
    try {
      return stripe.find(key, cursor) ? context.state().groups().get(cursor.groupNumber()) : null;
    } finally {
      stripe.unlock();
    }
  }

  private boolean isLeased(ObjectContext context, ScopedKey key) {
    Stripe stripe = context.state().objects().stripeOf(key);
    stripe.lock();
    try {
      return stripe.find(key, cursor) && context.isLeased(cursor);
    } finally {
      stripe.unlock();
    }
  }

  /** Gives up an unfinished write. */
  public void expireWrite(ObjectContext context, ScopedKey key) {
    change(
        context,
        key,
        object -> object == null ? Optional.empty() : WriteEndDecider.expire(context, key, object));
  }

  /** Drops what departed segments held of an object. */
  public void sweep(ObjectContext context, ScopedKey key) {
    change(
        context,
        key,
        object -> object == null ? Optional.empty() : RemoveDecider.sweep(context, key, object));
  }

  /**
   * Drops the unfinished replicas that departed segments held; their writers may still be writing
   * (COR-10).
   */
  public void quarantineUnfinished(ObjectContext context, ScopedKey key, Reason reason) {
    change(
        context,
        key,
        object -> {
          long[] ids =
              object == null
                  ? new long[0]
                  : IntStream.range(0, object.replicaCount())
                      .filter(i -> !object.isComplete(i) && !context.rules().isValid(object, i))
                      .mapToLong(object::replicaId)
                      .toArray();
          return ids.length == 0
              ? Optional.empty()
              : Optional.of(WriteEndDecider.drop(context, key, object, ids, reason));
        });
  }

  /** Sets ({@code ttlMs} present) or clears the committed soft pin of a complete object. */
  public Result<Void> softPin(
      ObjectContext context, ScopedKey key, OptionalLong ttlMs, Reason reason) {
    return underLock(
        context,
        key,
        object -> {
          if (object == null || !context.rules().hasComplete(object)) {
            return new Item(ErrorCode.OBJECT_NOT_FOUND.value(), Optional.empty());
          }
          OptionalLong deadline =
              ttlMs.isPresent() && ttlMs.getAsLong() != 0
                  ? OptionalLong.of(
                      WriteEndDecider.pinDeadlineMs(context.nowMs(), ttlMs.getAsLong()))
                  : OptionalLong.empty();
          boolean same = deadline.orElse(0) == object.pinDeadlineMs();
          return new Item(
              0,
              same
                  ? Optional.empty()
                  : Optional.of(new Event.SoftPinChanged(key.toObjectKey(), deadline, reason)));
        });
  }

  /** Clears a soft pin whose deadline has passed. */
  public void expireSoftPin(ObjectContext context, ScopedKey key) {
    change(
        context,
        key,
        object ->
            object == null || context.isSoftPinned(object) || object.pinDeadlineMs() == 0
                ? Optional.empty()
                : Optional.of(
                    new Event.SoftPinChanged(
                        key.toObjectKey(), OptionalLong.empty(), Reason.PIN_EXPIRED)));
  }

  // ---- under the lock

  private record Item(int code, Optional<Event> event) {}

  @FunctionalInterface
  private interface ItemDecider {
    Item decide(ObjectCursor object);
  }

  @FunctionalInterface
  private interface ChangeDecider {
    Optional<Event> decide(ObjectCursor object);
  }

  private Result<Void> underLock(ObjectContext context, ScopedKey key, ItemDecider decider) {
    Stripe stripe = context.state().objects().stripeOf(key);
    stripe.lock();
    try {
      Item item = decider.decide(stripe.find(key, cursor) ? cursor : null);
      item.event().ifPresent(sink::add);
      return item.code() == 0 ? Result.ok() : new Result<>(item.code(), null);
    } finally {
      stripe.unlock();
    }
  }

  private boolean change(ObjectContext context, ScopedKey key, ChangeDecider decider) {
    Stripe stripe = context.state().objects().stripeOf(key);
    stripe.lock();
    try {
      Optional<Event> event = decider.decide(stripe.find(key, cursor) ? cursor : null);
      event.ifPresent(sink::add);
      return event.isPresent();
    } finally {
      stripe.unlock();
    }
  }
}
