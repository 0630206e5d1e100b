package io.tidemark.core;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.object.Group;
import io.tidemark.core.object.ReplicaRules;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import io.tidemark.core.table.Stripe;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads of single keys and batches, on the caller's thread, past the core (COR-01, 02, 06 to 08).
 *
 * <p>For each key, under its stripe's lock: look up, judge, grant the lease, copy. What was seen
 * may be told once its index is committed: the record's for a hit, the stripe's newest removal for
 * a miss, the newest segment change for either. Else the read is parked and repeated; nothing
 * uncommitted is shown, neither presence nor absence.
 */
final class ReadLane {
  private static final ThreadLocal<ObjectCursor> CURSORS =
      ThreadLocal.withInitial(ObjectCursor::new);

  private final Contexts contexts;
  private final MasterState state;
  private final ReplicaRules rules;
  private final Term term;
  private final CommitQueue commits;
  private final CoreMetrics metrics;

  ReadLane(Contexts contexts, CommitQueue commits) {
    this.contexts = contexts;
    this.state = contexts.state();
    this.rules = contexts.rules();
    this.term = contexts.term();
    this.commits = commits;
    this.metrics = state.metrics();
  }

  /** What one pass over a request saw. */
  private static final class Pass {
    final long leaseUntilMs;
    long gateIndex;
    int gets;
    int memoryHits;
    long memoryHitBytes;
    int fileHits;
    long fileHitBytes;

    Pass(long leaseUntilMs) {
      this.leaseUntilMs = leaseUntilMs;
    }

    void hit(ReplicaDescriptor first, long sizeBytes) {
      if (first instanceof ReplicaDescriptor.Memory) {
        memoryHits++;
        memoryHitBytes += sizeBytes;
      } else {
        fileHits++;
        fileHitBytes += sizeBytes;
      }
    }

    void sawIndex(long index) {
      if (index > gateIndex) {
        gateIndex = index;
      }
    }
  }

  /** Serves a read of one or more named keys. */
  void serve(Request.Query query, ReplySink sink) {
    long deadlineMs = term.nowMs() + contexts.config().parkTimeoutMs();
    attempt(query, sink, deadlineMs);
  }

  private void attempt(Request.Query query, ReplySink sink, long deadlineMs) {
    if (!term.isServing()) {
      sink.reply(Replies.refuse(query, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS));
      return;
    }
    long nowMs = term.nowMs();
    Pass pass = new Pass(nowMs + contexts.config().leaseTtlMs());
    Reply reply = answer(query, pass);
    pass.sawIndex(state.segments().lastChangeIndex());
    if (pass.gateIndex <= term.committedIndex()) {
      count(pass);
      boolean stillLeading = term.isServing();
      sink.reply(
          stillLeading ? reply : Replies.refuse(query, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS));
      return;
    }
    commits.park(
        new CommitQueue.ParkedRead(
            pass.gateIndex,
            deadlineMs,
            () -> attempt(query, sink, deadlineMs),
            () -> sink.reply(Replies.refuse(query, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS))));
  }

  private Reply answer(Request.Query query, Pass pass) {
    if (query instanceof Request.GetReplicaList r) {
      ScopedKey key = ScopedKey.of(r.tenant(), r.key());
      boolean lease = r.rpc() == Rpc.GET_REPLICA_LIST;
      return new Reply.One(get(key, lease, pass));
    } else if (query instanceof Request.ExistKey r) {
      ScopedKey key = ScopedKey.of(r.tenant(), r.key());
      return Reply.ok(exists(key, r.rpc() == Rpc.EXIST_KEY, pass));
    } else if (query instanceof Request.BatchGetReplicaList r) {
      boolean lease = r.rpc() == Rpc.BATCH_GET_REPLICA_LIST;
      List<Result<Reply.ReplicaList>> results = new ArrayList<>(r.keys().size());
      for (String key : r.keys()) {
        results.add(get(ScopedKey.of(r.tenant(), key), lease, pass));
      }
      return new Reply.Many(results);
    } else if (query instanceof Request.BatchExistKey r) {
      return batchExists(r, pass);
    }
    throw new IllegalStateException("not a read of named keys: " + query.rpc());
  }

  private Result<Reply.ReplicaList> get(ScopedKey key, boolean lease, Pass pass) {
    if (lease) {
      pass.gets++;
    }
    Stripe stripe = state.objects().stripeOf(key);
    ObjectCursor object = CURSORS.get();
    stripe.lock();
    try {
      if (!find(stripe, key, object, pass)) {
        return Result.error(ErrorCode.OBJECT_NOT_FOUND);
      }
      List<ReplicaDescriptor> replicas = rules.readable(object);
      if (replicas.isEmpty()) {
        return Result.error(ErrorCode.REPLICA_IS_NOT_READY);
      }
      if (lease) {
        grant(object, pass);
        pass.hit(replicas.get(0), object.sizeBytes());
      }
      OptionalLong checksum =
          object.hasChecksum() ? OptionalLong.of(object.checksum()) : OptionalLong.empty();
      return Result.ok(new Reply.ReplicaList(replicas, contexts.config().leaseTtlMs(), checksum));
    } finally {
      stripe.unlock();
    }
  }

  private boolean exists(ScopedKey key, boolean lease, Pass pass) {
    Stripe stripe = state.objects().stripeOf(key);
    ObjectCursor object = CURSORS.get();
    stripe.lock();
    try {
      boolean readable = find(stripe, key, object, pass) && rules.hasReadable(object);
      if (readable && lease) {
        grant(object, pass);
      }
      return readable;
    } finally {
      stripe.unlock();
    }
  }

  /**
   * BatchExistKey leases every hit; BatchProbeKey none, or with policy 1 the last group of {@code
   * candidateSize} keys that were all found.
   */
  private Reply batchExists(Request.BatchExistKey request, Pass pass) {
    boolean lease = request.rpc() == Rpc.BATCH_EXIST_KEY;
    List<Result<Boolean>> results = new ArrayList<>(request.keys().size());
    for (String key : request.keys()) {
      results.add(Result.ok(exists(ScopedKey.of(request.tenant(), key), lease, pass)));
    }
    if (!lease && request.probePolicy() == 1) {
      leaseLastFoundGroup(request, results, pass);
    }
    return new Reply.Many(results);
  }

  private void leaseLastFoundGroup(
      Request.BatchExistKey request, List<Result<Boolean>> results, Pass pass) {
    int count = results.size();
    int size = (int) Math.min(Math.max(1, request.candidateSize()), Math.max(1, count));
    int from = -1;
    for (int start = 0; start + size <= count; start += size) {
      if (results.subList(start, start + size).stream().allMatch(Result::value)) {
        from = start;
      }
    }
    for (int i = from; from >= 0 && i < from + size; i++) {
      exists(ScopedKey.of(request.tenant(), request.keys().get(i)), true, pass);
    }
  }

  /** Finds a present object and notes which commit the answer depends on. */
  private boolean find(Stripe stripe, ScopedKey key, ObjectCursor object, Pass pass) {
    if (!stripe.find(key, object)) {
      pass.sawIndex(stripe.lastRemovalIndex());
      return false;
    }
    pass.sawIndex(object.lastIndex());
    return rules.isPresent(object);
  }

  private void grant(ObjectCursor object, Pass pass) {
    object.extendLease(pass.leaseUntilMs);
    Group group = state.groups().get(object.groupNumber());
    if (group != null) {
      group.extendLease(pass.leaseUntilMs);
    }
  }

  /** Counts what an answered request read; once, however many keys it has. */
  private void count(Pass pass) {
    if (pass.gets == 0) {
      return;
    }
    metrics.add(CoreMetric.TOTAL_GETS, pass.gets);
    metrics.add(CoreMetric.VALID_GETS, pass.memoryHits + pass.fileHits);
    if (pass.memoryHits > 0) {
      metrics.add(CoreMetric.MEM_CACHE_HITS, pass.memoryHits);
      metrics.add(CoreMetric.MEM_CACHE_HIT_BYTES, pass.memoryHitBytes);
    }
    if (pass.fileHits > 0) {
      metrics.add(CoreMetric.FILE_CACHE_HITS, pass.fileHits);
      metrics.add(CoreMetric.FILE_CACHE_HIT_BYTES, pass.fileHitBytes);
    }
  }
}
