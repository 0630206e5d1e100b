package io.tidemark.core;

import com.google.re2j.Pattern;
import io.tidemark.api.ErrorCode;
import io.tidemark.api.event.Reason;
import io.tidemark.api.log.Cause;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.object.Group;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Calls that look at every key: by regular expression, remove-all, listings. A scan runs on the
 * scan thread in slices; what it selects for removal is handed to the core in slices, where each
 * key is judged again.
 */
final class Scans {
  private final Contexts contexts;
  private final MasterState state;
  private final Core core;
  private final ScanThread executor;
  private final Tenancy tenancy;

  Scans(Contexts contexts, Core core, ScanThread executor, Tenancy tenancy) {
    this.contexts = contexts;
    this.state = contexts.state();
    this.core = core;
    this.executor = executor;
    this.tenancy = tenancy;
  }

  /** GetReplicaListByRegex. */
  void list(Request.GetReplicaListByRegex request, ReplySink sink) {
    Optional<Pattern> pattern = compile(request.regex());
    if (pattern.isEmpty()) {
      sink.reply(Reply.error(ErrorCode.INVALID_PARAMS));
      return;
    }
    Predicate<ScopedKey> selected = matcher(pattern.get(), request.tenant());
    run(request, sink, () -> answerWhenCommitted(request, sink, listMatching(selected)));
  }

  /** Told how many keys a scan removed, and whether it went through to the end. */
  @FunctionalInterface
  private interface RemovalListener {
    void removed(long count, boolean complete);
  }

  /** RemoveByRegex. */
  void removeByRegex(Request.RemoveByRegex request, Origin origin, ReplySink sink) {
    Optional<Pattern> pattern = compile(request.regex());
    if (pattern.isEmpty()) {
      sink.reply(Reply.error(ErrorCode.INVALID_PARAMS));
      return;
    }
    Predicate<ScopedKey> selected = matcher(pattern.get(), request.tenant());
    int cause = causeOf(Rpc.REMOVE_BY_REGEX, origin);
    run(
        request,
        sink,
        () ->
            remove(
                collect(selected),
                request.force(),
                Reason.REMOVED_BY_REGEX,
                cause,
                (removed, complete) ->
                    sink.reply(
                        complete
                            ? Reply.ok(removed)
                            : Reply.error(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS))));
  }

  /** RemoveAll. */
  void removeAll(Request.RemoveAll request, Origin origin, ReplySink sink) {
    boolean all = tenancy.meansAll(request.tenant());
    Predicate<ScopedKey> selected = key -> all || key.isOfTenant(request.tenant());
    int cause = causeOf(Rpc.REMOVE_ALL, origin);
    Reason reason = origin.equals(Origin.ADMIN) ? Reason.ADMIN : Reason.REMOVED_ALL;
    run(
        request,
        sink,
        () ->
            remove(
                collect(selected),
                request.force(),
                reason,
                cause,
                (removed, complete) -> sink.reply(new Reply.Bare(removed))));
  }

  private static int causeOf(Rpc rpc, Origin origin) {
    return origin.equals(Origin.ADMIN) ? Cause.of(Cause.Trigger.ADMIN) : Cause.of(rpc);
  }

  private Optional<Pattern> compile(String regex) {
    Optional<Pattern> pattern = EcmaPattern.compile(regex);
    if (pattern.isEmpty()) {
      state.metrics().add(CoreMetric.REGEX_REFUSED, 1);
    }
    return pattern;
  }

  private static Predicate<ScopedKey> matcher(Pattern pattern, String tenant) {
    return key -> key.isOfTenant(tenant) && pattern.matcher(key.toObjectKey().key()).find();
  }

  private void run(Request request, ReplySink sink, Runnable scan) {
    try {
      executor.execute(scan);
    } catch (RejectedExecutionException full) {
      state.metrics().add(CoreMetric.INBOX_FULL, 1);
      sink.reply(Replies.refuse(request, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS));
    }
  }

  /** All keys that satisfy a condition; the condition runs outside the locks. */
  List<ScopedKey> collect(Predicate<ScopedKey> condition) {
    List<ScopedKey> selected = new ArrayList<>();
    List<ScopedKey> slice = new ArrayList<>();
    state
        .objects()
        .scan(
            CommandExecutor.SLICE,
            object -> slice.add(object.key()),
            () -> {
              slice.stream().filter(condition).forEach(selected::add);
              slice.clear();
            });
    return selected;
  }

  /**
   * Removes keys slice by slice; {@code done} is told the number once the last slice is committed,
   * or a slice was refused.
   */
  private void remove(
      List<ScopedKey> keys, boolean force, Reason reason, int cause, RemovalListener done) {
    AtomicLong removed = new AtomicLong();
    removeFrom(keys, 0, new Command.RemoveKeys(List.of(), force, reason, cause), removed, done);
  }

  private void removeFrom(
      List<ScopedKey> keys,
      int from,
      Command.RemoveKeys shape,
      AtomicLong removed,
      RemovalListener done) {
    int to = Math.min(from + CommandExecutor.WRITE_SLICE, keys.size());
    Command.RemoveKeys slice =
        new Command.RemoveKeys(
            keys.subList(from, to), shape.force(), shape.reason(), shape.causeCode());
    core.submit(
        slice,
        reply -> {
          if (reply instanceof Reply.Bare count) {
            removed.addAndGet((Long) count.value());
          }
          if (to < keys.size() && reply instanceof Reply.Bare) {
            executor.later(0, () -> removeFrom(keys, to, shape, removed, done));
          } else {
            done.removed(removed.get(), reply instanceof Reply.Bare);
          }
        });
  }

  // ---- listing

  private List<Reply.KeyReplicas> listMatching(Predicate<ScopedKey> selected) {
    Map<String, Reply.KeyReplicas> found = new LinkedHashMap<>();
    long leaseUntilMs = contexts.term().nowMs() + contexts.config().leaseTtlMs();
    ObjectCursor object = new ObjectCursor();
    for (ScopedKey key : collect(selected)) {
      var stripe = state.objects().stripeOf(key);
      stripe.lock();
      try {
        if (stripe.find(key, object)) {
          List<ReplicaDescriptor> replicas = contexts.rules().readable(object);
          if (!replicas.isEmpty()) {
            grant(object, leaseUntilMs);
            String text = key.toObjectKey().key();
            found.put(text, new Reply.KeyReplicas(text, replicas));
          }
        }
      } finally {
        stripe.unlock();
      }
    }
    return List.copyOf(found.values());
  }

  private void grant(ObjectCursor object, long leaseUntilMs) {
    object.extendLease(leaseUntilMs);
    Group group = state.groups().get(object.groupNumber());
    if (group != null) {
      group.extendLease(leaseUntilMs);
    }
  }

  /** A scan may tell what it saw once the newest entry of its view is committed (COR-02). */
  private void answerWhenCommitted(
      Request request, ReplySink sink, List<Reply.KeyReplicas> matches) {
    core.submit(
        new Command.Barrier(),
        reply ->
            sink.reply(
                reply.equals(Reply.OK)
                    ? Reply.ok(matches)
                    : Replies.refuse(request, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS)));
  }
}
