package io.tidemark.server;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.MasterService;
import io.tidemark.core.MasterView;
import io.tidemark.core.Origin;
import io.tidemark.core.ReplySink;
import io.tidemark.core.metrics.CoreMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** A state machine without state: tests say what it answers and look at what reached it. */
public final class FakeMaster implements MasterService, MasterView {

  /** Answers a call, at once or later. */
  @FunctionalInterface
  public interface Handler {
    void handle(Request request, ReplySink sink);
  }

  public final List<Request> received = new CopyOnWriteArrayList<>();
  public final BlockingQueue<Long> closedConnections = new LinkedBlockingQueue<>();
  public final Map<Uuid, String> releases = new ConcurrentHashMap<>();
  public final List<SegmentView> segments = new ArrayList<>();
  public final List<String> keys = new ArrayList<>();
  public final CoreMetrics coreMetrics = new CoreMetrics();
  public volatile Handler handler = (request, sink) -> sink.reply(Reply.ok(true));
  public volatile Reply softPinReply = Reply.OK;
  public volatile List<String> softPinKeys = List.of();
  public volatile OptionalLong softPinTtlMs = OptionalLong.empty();
  public volatile boolean serving = true;

  /** A segment of 64 MiB. */
  public static SegmentView segment(
      long id, String name, SegmentStatus status, long allocatedBytes) {
    SegmentInfo info =
        new SegmentInfo(
            new Uuid(id, 2), name, 0x7f2041000000L, 67_108_864, "127.0.0.1:15052", "tcp", "");
    return new SegmentView(info, new Uuid(3, 4), status, allocatedBytes);
  }

  @Override
  public void submit(Request request, Origin origin, ReplySink sink) {
    received.add(request);
    handler.handle(request, sink);
  }

  @Override
  public void softPin(
      List<String> keys, String tenant, OptionalLong ttlMs, Origin origin, ReplySink sink) {
    softPinKeys = keys;
    softPinTtlMs = ttlMs;
    sink.reply(softPinReply);
  }

  @Override
  public void connectionClosed(long connectionId) {
    closedConnections.add(connectionId);
  }

  @Override
  public void releaseLearned(Uuid clientId, String release) {
    releases.put(clientId, release);
  }

  @Override
  public Map<Uuid, String> clientReleases() {
    return releases;
  }

  @Override
  public MasterView view() {
    return this;
  }

  @Override
  public List<SegmentView> segments() {
    return segments;
  }

  @Override
  public ClientCounts clients() {
    return new ClientCounts(1, 2, 3);
  }

  @Override
  public void forEachReadableKey(String tenant, Consumer<String> consumer) {
    keys.forEach(consumer);
  }

  @Override
  public long objectCount() {
    return keys.size();
  }

  @Override
  public long softPinnedCount() {
    return 0;
  }

  @Override
  public long allocatedBytes() {
    return 5_000;
  }

  @Override
  public long capacityBytes() {
    return 67_108_864;
  }

  @Override
  public CoreMetrics metrics() {
    return coreMetrics;
  }

  @Override
  public long epoch() {
    return 7;
  }

  @Override
  public LogPosition logEnd() {
    return new LogPosition(7, 42, 0);
  }

  @Override
  public long committedIndex() {
    return 40;
  }

  @Override
  public long stateDigest() {
    return 0;
  }

  @Override
  public boolean isServing() {
    return serving;
  }
}
