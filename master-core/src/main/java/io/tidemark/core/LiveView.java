package io.tidemark.core;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.segment.ClientRecord;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.segment.SegmentTable;
import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** {@link MasterView} of a running master. */
final class LiveView implements MasterView {
  private final Contexts contexts;
  private final MasterState state;
  private final Core core;
  private final OperationLog log;

  LiveView(Contexts contexts, Core core, OperationLog log) {
    this.contexts = contexts;
    this.state = contexts.state();
    this.core = core;
    this.log = log;
  }

  @Override
  public List<SegmentView> segments() {
    return core.atRest(
        () ->
            state.segments().snapshot().stream()
                .map(
                    segment ->
                        new SegmentView(
                            segment.info(),
                            segment.clientId(),
                            segment.status(),
                            segment.requestedBytes()))
                .toList());
  }

  @Override
  public ClientCounts clients() {
    SegmentTable segments = state.segments();
    return new ClientCounts(
        (int) segments.clientCount(ClientState.JOINING),
        (int) segments.clientCount(ClientState.ACTIVE),
        (int) segments.clientCount(ClientState.SUSPECTED));
  }

  @Override
  public Map<Uuid, String> clientReleases() {
    return core.atRest(
        () -> {
          Map<Uuid, String> releases = new LinkedHashMap<>();
          for (ClientRecord client : state.segments().clients()) {
            if (!client.release().isEmpty()) {
              releases.put(client.id(), client.release());
            }
          }
          return releases;
        });
  }

  @Override
  public void forEachReadableKey(String tenant, Consumer<String> keys) {
    List<ScopedKey> slice = new ArrayList<>();
    state
        .objects()
        .scan(
            CommandExecutor.SLICE,
            object -> {
              if (contexts.rules().hasReadable(object)) {
                slice.add(object.key());
              }
            });
    for (ScopedKey key : slice) {
      if (key.isOfTenant(tenant)) {
        keys.accept(key.toObjectKey().key());
      }
    }
  }

  @Override
  public long objectCount() {
    return state.objects().objectCount();
  }

  @Override
  public long softPinnedCount() {
    return state.softPins().size();
  }

  @Override
  public long allocatedBytes() {
    return sum(true);
  }

  @Override
  public long capacityBytes() {
    return sum(false);
  }

  private long sum(boolean allocated) {
    long bytes = 0;
    for (MountedSegment segment : state.segments().snapshot()) {
      if (segment.isValid()) {
        bytes += allocated ? segment.requestedBytes() : segment.info().sizeBytes();
      }
    }
    return bytes;
  }

  @Override
  public CoreMetrics metrics() {
    return state.metrics();
  }

  @Override
  public long epoch() {
    return contexts.term().epoch();
  }

  @Override
  public LogPosition logEnd() {
    return core.atRest(log::end);
  }

  @Override
  public long committedIndex() {
    return contexts.term().committedIndex();
  }

  @Override
  public long stateDigest() {
    return core.atRest(() -> Digest.of(state));
  }

  @Override
  public boolean isServing() {
    return contexts.term().isServing();
  }
}
