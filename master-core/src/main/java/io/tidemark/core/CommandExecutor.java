package io.tidemark.core;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Reason;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.Cause.Trigger;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.core.object.ObjectCommands;
import io.tidemark.core.object.ObjectContext;
import io.tidemark.core.object.PendingWrite;
import io.tidemark.core.segment.SegmentCommands;
import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Runs one command: decides, and hands the events to the batch. Called by the holder of the core
 * role.
 */
final class CommandExecutor {
  /**
   * Most records that a scan sees while it holds a stripe's lock; most deadlines handled at once.
   */
  static final int SLICE = 256;

  /**
   * Most keys that one command of background work changes: clients' calls wait for it, and a change
   * takes some microseconds.
   */
  static final int WRITE_SLICE = 32;

  /** With deadlines pending, log time moves at least this often (COR-25). */
  private static final long TICK_MS = 1000;

  private final Contexts contexts;
  private final EventSink sink;
  private final ObjectCommands objects;
  private final SegmentCommands segments;
  private final SegmentCommands.Patience patience;
  private final Evictions evictions;
  private final Uuid nodeId;
  private ObjectContext context;

  CommandExecutor(Contexts contexts, EventSink sink, Evictions evictions, Uuid nodeId) {
    this.contexts = contexts;
    this.sink = sink;
    this.evictions = evictions;
    this.nodeId = nodeId;
    this.objects = new ObjectCommands(sink);
    MasterConfig config = contexts.config();
    this.segments =
        new SegmentCommands(
            contexts.state().segments(),
            config.allocatorKind(),
            sink,
            (segment, reason) -> quarantineUnfinished(reason));
    this.patience =
        new SegmentCommands.Patience(
            config.clientActiveTtlMs(), config.clientSuspicionTtlMs(), config.reclaimTimeoutMs());
  }

  // ---- what a command is

  int causeOf(Command command) {
    if (command instanceof Command.ClientCall call) {
      return call.origin().equals(Origin.ADMIN)
          ? Cause.of(Trigger.ADMIN)
          : Cause.of(call.request().rpc());
    } else if (command instanceof Command.RemoveKeys remove) {
      return remove.causeCode();
    }
    return Cause.of(triggerOf(command));
  }

  private static Trigger triggerOf(Command command) {
    if (command instanceof Command.Evict) {
      return Trigger.EVICTION;
    } else if (command instanceof Command.ExpireWrites) {
      return Trigger.WRITE_EXPIRY;
    } else if (command instanceof Command.ReleaseDiscards) {
      return Trigger.DISCARD_RELEASE;
    } else if (command instanceof Command.ExpireSoftPins) {
      return Trigger.SOFT_PIN_EXPIRY;
    } else if (command instanceof Command.JudgeClients) {
      return Trigger.CLIENT_LIVENESS;
    } else if (command instanceof Command.Sweep) {
      return Trigger.STALE_SWEEP;
    } else if (command instanceof Command.StartTerm) {
      return Trigger.TERM_START;
    } else if (command instanceof Command.SoftPin) {
      return Trigger.ADMIN;
    } else if (command instanceof Command.RecordDigest) {
      return Trigger.DIGEST;
    }
    return Trigger.TICK;
  }

  Uuid actorOf(Command command) {
    if (!(command instanceof Command.ClientCall call)) {
      return Uuid.ZERO;
    }
    Request request = call.request();
    if (request instanceof Request.WriteStart r) {
      return r.clientId();
    } else if (request instanceof Request.WriteEnd r) {
      return r.clientId();
    } else if (request instanceof Request.WriteRevoke r) {
      return r.clientId();
    } else if (request instanceof Request.BatchWriteStart r) {
      return r.clientId();
    } else if (request instanceof Request.BatchWriteEnd r) {
      return r.clientId();
    } else if (request instanceof Request.BatchWriteRevoke r) {
      return r.clientId();
    } else if (request instanceof Request.BatchReplicaClear r) {
      return r.clientId();
    } else if (request instanceof Request.MountSegment r) {
      return r.clientId();
    } else if (request instanceof Request.ReMountSegment r) {
      return r.clientId();
    } else if (request instanceof Request.UnmountSegment r) {
      return r.clientId();
    } else if (request instanceof Request.GracefulUnmountSegment r) {
      return r.clientId();
    } else if (request instanceof Request.Ping r) {
      return r.clientId();
    }
    return Uuid.ZERO;
  }

  /**
   * Whether a command must be refused while the log has no room. What appends nothing goes on, and
   * so does a term's start, which is told by the log itself if there is no room even for it.
   */
  boolean needsSpace(Command command) {
    if (command instanceof Command.ClientCall call) {
      return !(call.request() instanceof Request.Ping);
    }
    return !(command instanceof Command.Barrier
        || command instanceof Command.ConnectionClosed
        || command instanceof Command.StartTerm);
  }

  // ---- running

  /** Reads the clock for the next command; log time in ms. */
  long begin() {
    context = contexts.now();
    return context.nowMs();
  }

  /** Decides and applies a command at the time that {@link #begin} read. */
  Reply execute(Command command) {
    if (command instanceof Command.ClientCall call) {
      return client(call);
    } else if (command instanceof Command.RemoveKeys remove) {
      return removeKeys(remove);
    } else if (command instanceof Command.SoftPin pin) {
      return softPin(pin);
    }
    internal(command);
    return Reply.OK;
  }

  private Reply client(Command.ClientCall call) {
    Request.Mutation request = call.request();
    long nowMs = context.nowMs();
    if (request instanceof Request.Ping r) {
      return segments.ping(r, nowMs, contexts.viewVersion());
    } else if (request instanceof Request.MountSegment r) {
      return segments.mount(r, nowMs);
    } else if (request instanceof Request.ReMountSegment r) {
      return segments.remount(r, nowMs);
    } else if (request instanceof Request.UnmountSegment r) {
      return segments.unmount(r);
    } else if (request instanceof Request.GracefulUnmountSegment r) {
      return segments.gracefulUnmount(r, nowMs);
    }
    Reply reply = object(request, call.origin().connectionId());
    if (objects.takeAllocationFailed()) {
      evictions.allocationFailed();
    }
    return reply;
  }

  private Reply object(Request.Mutation request, long connectionId) {
    if (request instanceof Request.WriteStart r) {
      return objects.writeStart(context, r, connectionId);
    } else if (request instanceof Request.WriteEnd r) {
      ScopedKey key = ScopedKey.of(r.tenant(), r.key());
      return new Reply.One(objects.end(context, key, r.clientId(), r.replicaType(), r.checksum()));
    } else if (request instanceof Request.WriteRevoke r) {
      ScopedKey key = ScopedKey.of(r.tenant(), r.key());
      return new Reply.One(objects.revoke(context, key, r.clientId(), r.replicaType()));
    } else if (request instanceof Request.Remove r) {
      ScopedKey key = ScopedKey.of(r.tenant(), r.key());
      return new Reply.One(objects.remove(context, key, r.force(), Reason.REMOVED));
    } else if (request instanceof Request.BatchWriteStart r) {
      return objects.batchWriteStart(context, r, connectionId);
    } else if (request instanceof Request.BatchWriteEnd r) {
      return batchEnd(r);
    } else if (request instanceof Request.BatchWriteRevoke r) {
      List<Result<Void>> results = new ArrayList<>(r.keys().size());
      for (String key : r.keys()) {
        results.add(
            objects.revoke(context, ScopedKey.of(r.tenant(), key), r.clientId(), r.replicaType()));
      }
      return new Reply.Many(results);
    } else if (request instanceof Request.BatchRemove r) {
      List<Result<Void>> results = new ArrayList<>(r.keys().size());
      for (String key : r.keys()) {
        results.add(
            objects.remove(context, ScopedKey.of(r.tenant(), key), r.force(), Reason.REMOVED));
      }
      return new Reply.Many(results);
    } else if (request instanceof Request.BatchReplicaClear r) {
      return objects.clear(context, r);
    }
    throw new IllegalStateException("no decider for " + request.rpc());
  }

  private Reply batchEnd(Request.BatchWriteEnd call) {
    List<Result<Void>> results = new ArrayList<>(call.keys().size());
    for (int i = 0; i < call.keys().size(); i++) {
      ScopedKey key = ScopedKey.of(call.tenant(), call.keys().get(i));
      results.add(
          objects.end(context, key, call.clientId(), call.replicaType(), call.checksums().get(i)));
    }
    return new Reply.Many(results);
  }

  /** Answers the number of keys that were removed. */
  private Reply removeKeys(Command.RemoveKeys command) {
    long removed = 0;
    for (ScopedKey key : command.keys()) {
      if (objects.remove(context, key, command.force(), command.reason()).isOk()) {
        removed++;
      }
    }
    return new Reply.Bare(removed);
  }

  private Reply softPin(Command.SoftPin command) {
    OptionalLong ttl = command.ttlMs();
    boolean tooLong =
        ttl.isPresent()
            && Long.compareUnsigned(ttl.getAsLong(), context.config().maxSoftPinTtlMs()) > 0;
    if (tooLong) {
      return Reply.error(ErrorCode.INVALID_PARAMS);
    }
    List<Result<Void>> results = new ArrayList<>();
    for (String key : command.keys()) {
      results.add(objects.softPin(context, ScopedKey.of(command.tenant(), key), ttl, Reason.ADMIN));
    }
    return new Reply.Many(results);
  }

  private void internal(Command command) {
    if (command instanceof Command.Evict evict) {
      ObjectCommands.Evicted total = evictAll(evict);
      evictions.evicted(total);
    } else if (command instanceof Command.ExpireWrites) {
      long before = context.nowMs() - context.config().releaseTimeoutMs();
      for (ScopedKey key : context.state().writes().startedBefore(before, SLICE)) {
        objects.expireWrite(context, key);
      }
    } else if (command instanceof Command.ReleaseDiscards) {
      long[] due = context.state().discards().due(context.nowMs(), SLICE);
      if (due.length > 0) {
        sink.add(new Event.DiscardReleased(due));
      }
    } else if (command instanceof Command.ExpireSoftPins) {
      for (ScopedKey key : context.state().softPins().due(context.nowMs(), SLICE)) {
        objects.expireSoftPin(context, key);
      }
    } else if (command instanceof Command.JudgeClients) {
      segments.judge(patience, context.nowMs());
    } else if (command instanceof Command.Sweep sweep) {
      sweep(sweep);
    } else if (command instanceof Command.Tick) {
      sink.add(new Event.Tick());
    } else if (command instanceof Command.RecordDigest) {
      sink.add(
          new Event.StateDigest(
              Digest.of(context.state()), context.state().objects().objectCount()));
    } else if (command instanceof Command.LearnRelease learn) {
      segments.learnRelease(learn.clientId(), learn.release());
    } else if (command instanceof Command.ConnectionClosed closed) {
      context.state().writes().connectionClosed(closed.connectionId());
    } else if (command instanceof Command.StartTerm start) {
      startTerm(start);
    }
  }

  private ObjectCommands.Evicted evictAll(Command.Evict command) {
    int keys = 0;
    long bytes = 0;
    for (ScopedKey key : command.keys()) {
      ObjectCommands.Evicted one =
          objects.evict(context, key, command.softPinnedToo(), command.reason());
      keys += one.keys();
      bytes += one.bytes();
    }
    return new ObjectCommands.Evicted(keys, bytes);
  }

  private void sweep(Command.Sweep command) {
    for (ScopedKey key : command.keys()) {
      objects.sweep(context, key);
    }
    for (int number : command.finishedSegments()) {
      sink.add(new Event.SegmentUnmounted(number));
    }
  }

  private void startTerm(Command.StartTerm command) {
    sink.add(
        new Event.EpochStarted(
            context.epoch(), nodeId, context.config().leaseTtlMs(), command.forced()));
    if (command.dropMemory()) {
      segments.dropEverything(Reason.HOST_RESTARTED);
    }
  }

  private void quarantineUnfinished(Reason reason) {
    for (PendingWrite write : List.copyOf(context.state().writes().all())) {
      objects.quarantineUnfinished(context, write.key(), reason);
    }
  }

  /** What the clock has made due; looked at while nobody holds the role. */
  Due due(long nowMs) {
    MasterState state = contexts.state();
    long writesBefore = nowMs - contexts.config().releaseTimeoutMs();
    boolean writes = !state.writes().startedBefore(writesBefore, 1).isEmpty();
    boolean discards = state.discards().nextDeadlineMs() <= nowMs;
    boolean pins = state.softPins().nextDeadlineMs() <= nowMs;
    boolean clients = segments.isAnythingDue(patience, nowMs);
    boolean waiting =
        state.writes().size() > 0
            || state.discards().size() > 0
            || state.softPins().size() > 0
            || !state.segments().clients().isEmpty();
    boolean tick = waiting && nowMs - state.lastLogTimeMs() >= TICK_MS;
    return new Due(writes, discards, pins, clients, tick);
  }

  /** Triggers whose time has come. */
  record Due(boolean writes, boolean discards, boolean pins, boolean clients, boolean tick) {}
}
