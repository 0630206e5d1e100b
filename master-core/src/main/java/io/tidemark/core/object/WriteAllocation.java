package io.tidemark.core.object;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.core.segment.AllocationStrategy;
import io.tidemark.core.segment.ClientRecord;
import io.tidemark.core.segment.Placement;
import io.tidemark.core.table.ObjectCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Places the replicas of a new write (objects specification, section 6.4). */
final class WriteAllocation {

  /** What a new object takes over from the one it replaces. */
  record Inherited(boolean hardPin, OptionalLong pinDeadlineMs, Optional<String> groupId) {
    static final Inherited NOTHING = new Inherited(false, OptionalLong.empty(), Optional.empty());
  }

  private WriteAllocation() {}

  /** The WriteStarted event, or empty if no memory replica could be placed. */
  static Optional<Event.WriteStarted> allocate(
      ObjectContext context, WriteItem item, Inherited inherited) {
    ReplicateConfig config = item.config();
    List<PlacedReplica> placed = List.of();
    if (config.replicaNum() != 0) {
      if (item.lengthBytes() < 0) {
        return Optional.empty();
      }
      placed = context.placement().place(wish(context, item));
      if (placed.isEmpty()) {
        return Optional.empty();
      }
    }
    boolean disk = context.diskPaths().isEnabled();
    long diskReplicaId = disk ? context.state().nextReplicaId() + placed.size() : 0;
    SoftPinAction action = SoftPinAction.of(config.softPinAction()).orElseThrow();
    return Optional.of(
        new Event.WriteStarted(
            item.key(),
            item.clientId(),
            item.lengthBytes(),
            placed,
            diskReplicaId,
            disk ? context.diskPaths().of(item.key()) : "",
            config.hardPin() || inherited.hardPin(),
            config.dataType(),
            inherited.groupId().or(item::groupId).orElse(""),
            action,
            WriteStartRules.softPinTtlMs(context.config(), config).orElseThrow(),
            inherited.pinDeadlineMs()));
  }

  private static Placement.Wish wish(ObjectContext context, WriteItem item) {
    ReplicateConfig config = item.config();
    long replicas = config.replicaNum() < 0 ? ObjectCursor.MAX_REPLICAS : config.replicaNum();
    return new Placement.Wish(
        item.lengthBytes(),
        Math.min(replicas, ObjectCursor.MAX_REPLICAS - 1),
        preferredNames(context, item),
        context.state().nextReplicaId());
  }

  private static List<String> preferredNames(ObjectContext context, WriteItem item) {
    ReplicateConfig config = item.config();
    String single =
        item.preferredSegment().isEmpty() ? config.preferredSegment() : item.preferredSegment();
    List<String> wished = single.isEmpty() ? config.preferredSegments() : List.of(single);
    boolean byHost =
        config.replicaNum() == 1
            && (context.config().allocationStrategy() == AllocationStrategy.LOCAL_FIRST
                || config.preferAllocInSameNode());
    String host = byHost ? writerHost(context, item) : "";
    if (host.isEmpty()) {
      return wished;
    }
    List<String> names = new ArrayList<>(wished);
    names.addAll(context.placement().hostOrder(host, item.scopedKey().hash()));
    return names;
  }

  private static String writerHost(ObjectContext context, WriteItem item) {
    if (!item.config().hostId().isEmpty()) {
      return item.config().hostId();
    }
    ClientRecord client = context.state().segments().client(item.clientId());
    return client == null ? "" : client.hostId();
  }
}
