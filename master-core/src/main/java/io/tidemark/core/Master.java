package io.tidemark.core;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.port.MonotonicClock;
import io.tidemark.api.port.RandomSource;
import io.tidemark.api.port.WallClock;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.state.StateSink;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.segment.Placement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * One leadership term of a metadata master: state rebuilt from the log, the core that changes it,
 * the read lane beside.
 *
 * <p>{@link #start} replays the log, opens a new epoch and serves. When the log fails or an
 * invariant breaks, the term ends for good: the {@link FaultHandler} is told and the process is
 * expected to start over (crash-only, COR-03).
 */
public final class Master implements MasterService {
  private static final long STOP_TIMEOUT_S = 5;

  private final Contexts contexts;
  private final Core core;
  private final CommitQueue commits;
  private final ReadLane reads;
  private final Scans scans;
  private final ServiceAnswers answers;
  private final Housekeeper housekeeper;
  private final Tenancy tenancy;
  private final LiveView view;
  private final Ports ports;

  /**
   * The world outside.
   *
   * @param scans runs scans of the whole table off the I/O threads; {@link ScanExecutor} in
   *     production
   */
  public record Ports(
      OperationLog log,
      MonotonicClock monotonic,
      WallClock wall,
      RandomSource random,
      ScanThread scans,
      FaultHandler faults) {}

  /**
   * How this term starts.
   *
   * @param nodeId who leads
   * @param dropMemoryReplicas COR-13: the end of the log may be missing, memory replicas can't be
   *     trusted
   * @param forced an operator started it on a possibly incomplete log
   */
  public record TermStart(Uuid nodeId, boolean dropMemoryReplicas, boolean forced) {}

  /**
   * How a standby goes on as leader.
   *
   * @param epoch what the campaign won
   * @param fenced whether the leadership may be over; looked at before every append and every
   *     answer, by any thread
   */
  public record Promotion(TermStart start, long epoch, BooleanSupplier fenced) {}

  /**
   * The state that a term begins on.
   *
   * @param leftOut objects that a damaged snapshot lacks
   */
  private record Beginning(
      MasterState state, int leftOut, Uuid nodeId, long epoch, BooleanSupplier fenced) {}

  private Master(MasterConfig config, Ports ports, Beginning beginning) {
    MasterState state = beginning.state();
    this.ports = ports;
    LogClock clock = new LogClock(ports.monotonic(), state.lastLogTimeMs());
    long leaseFloorMs =
        state.epoch() == 0
            ? 0
            : state.lastLogTimeMs() + Math.max(state.maxLeaseTtlMs(), config.leaseTtlMs());
    long placeFromMs =
        beginning.leftOut() == 0
            ? 0
            : Math.max(leaseFloorMs, clock.nowMs() + config.writerQuarantineMs());
    Term term = new Term(beginning.epoch(), clock, leaseFloorMs, placeFromMs, beginning.fenced());
    Placement placement =
        new Placement(state.segments(), ports.random(), config.allocationStrategy());
    contexts = new Contexts(config, state, placement, term);
    CoreMetrics metrics = state.metrics();
    commits = new CommitQueue(term, metrics, ports.faults(), config.parkedReadCapacity());
    ports.log().onCommit(commits);
    BatchWriter batch = new BatchWriter(ports.log(), new Applier(state), ports.wall(), metrics);
    Evictions evictions = new Evictions(config, metrics);
    CommandExecutor executor = new CommandExecutor(contexts, batch, evictions, beginning.nodeId());
    core =
        new Core(
            config.inboxCapacity(),
            ports.log(),
            batch,
            executor,
            commits,
            term,
            state,
            ports.faults());
    reads = new ReadLane(contexts, commits);
    tenancy = new Tenancy(config.multiTenants());
    scans = new Scans(contexts, core, ports.scans(), tenancy);
    answers = new ServiceAnswers(contexts);
    housekeeper =
        new Housekeeper(
            contexts, core, executor, commits, evictions, ports.scans(), ports.monotonic());
    view = new LiveView(contexts, core, ports.log());
  }

  /**
   * Replays the log and starts a term on it.
   *
   * @throws IllegalStateException if the log does not fit together
   * @throws LogFailureException if it can't be read or the term's first entry can't be committed
   * @throws LogFullException if the disk has no room for the term's first entry
   */
  public static Master start(MasterConfig config, Ports ports, TermStart start) {
    MasterState empty = new MasterState(config.allocatorKind(), new CoreMetrics());
    return start(config, ports, start, new StateImporter.Restored(empty, LogPosition.START, 0));
  }

  /**
   * Replays the log behind a restored snapshot and starts a term on it.
   *
   * @throws IllegalStateException if log and snapshot do not fit together
   */
  public static Master start(
      MasterConfig config, Ports ports, TermStart start, StateImporter.Restored restored) {
    Replayer replayer = new Replayer(restored);
    ports
        .log()
        .read(
            restored.position().index() + 1,
            entry -> {
              replayer.entry(entry);
              return true;
            });
    MasterState state = replayer.state();
    Beginning beginning =
        new Beginning(state, restored.leftOut(), start.nodeId(), state.epoch() + 1, () -> false);
    Master master = new Master(config, ports, beginning);
    CompletableFuture<Reply> started = new CompletableFuture<>();
    master.core.submit(
        new Command.StartTerm(start.dropMemoryReplicas(), start.forced()), started::complete);
    Optional<Reply> reply = master.await(started);
    if (reply.isEmpty() || !reply.get().equals(Reply.OK)) {
      throw notStarted(master.contexts.term());
    }
    return master;
  }

  /**
   * Goes on with a standby's state, to which its whole log was applied, and starts the term that
   * was won. Does not wait.
   *
   * @param ports the log is the leader's: it commits what the in-sync set holds
   * @param started told {@link Reply#OK} once the term's first entry is committed and the master
   *     serves; any thread
   * @throws IllegalStateException if state and log do not end alike, or the epoch is not above the
   *     log's
   */
  public static Master promote(
      MasterConfig config, Ports ports, Promotion promotion, Replayer replayed, ReplySink started) {
    MasterState state = replayed.state();
    if (replayed.lastIndex() != ports.log().end().index() || promotion.epoch() <= state.epoch()) {
      throw new IllegalStateException(
          "epoch "
              + promotion.epoch()
              + " can't start on a state of entry "
              + replayed.lastIndex()
              + " and epoch "
              + state.epoch()
              + "; the log ends at "
              + ports.log().end());
    }
    TermStart start = promotion.start();
    Beginning beginning =
        new Beginning(
            state, replayed.leftOut(), start.nodeId(), promotion.epoch(), promotion.fenced());
    Master master = new Master(config, ports, beginning);
    master.core.submit(new Command.StartTerm(start.dropMemoryReplicas(), start.forced()), started);
    return master;
  }

  /**
   * Ends the term, as for a lost leadership: when this returns nothing is being appended, and
   * everybody who waits was told that the outcome is unknown. The log stays open. Not to be called
   * by a holder of the core role.
   */
  public void endTerm(String why) {
    core.atRest(
        () -> {
          contexts.term().end(why);
          return null;
        });
    commits.termOver();
  }

  /** Logs the digest of the state, for standbys to compare with theirs (COR-28). */
  public void recordDigest() {
    core.submit(new Command.RecordDigest(), reply -> {});
  }

  /** Log time in ms. Any thread. */
  public long logTimeMs() {
    return contexts.term().nowMs();
  }

  /** What the log threw stays what it is: it tells an operator what to do. */
  private static RuntimeException notStarted(Term term) {
    Throwable cause = term.endedBy().orElse(null);
    if (cause instanceof LogFullException full) {
      return full;
    }
    if (cause instanceof LogFailureException failure) {
      return failure;
    }
    return new IllegalStateException(
        "the first entry of epoch "
            + term.epoch()
            + " could not be committed: "
            + term.endedBecause(),
        cause);
  }

  /**
   * Hands the state at the present end of the log to a sink while serving; on the caller's thread,
   * one at a time.
   *
   * @param maxPreservedBytes bound of the memory that records changing meanwhile may take; excess
   *     gives up
   * @throws RuntimeException if the capture was given up; the master goes on
   */
  public void capture(StateSink sink, long maxPreservedBytes) {
    Pacing pacing = new Pacing(ports.scans(), ports.monotonic());
    new StateCapture(contexts, core, ports.log(), pacing).run(sink, maxPreservedBytes);
  }

  /** Bytes that the objects take in memory. Any thread. */
  public long tableBytes() {
    return contexts.state().objects().usedBytes();
  }

  /** Background work; call every 10 ms from one timer thread. */
  public void tick() {
    housekeeper.tick();
  }

  /**
   * Records the state's digest, then refuses everything and closes the log with the clean-stop
   * mark. Waits at most a few seconds, for the last commit.
   */
  public void stop() {
    CompletableFuture<Reply> recorded = new CompletableFuture<>();
    core.submit(new Command.RecordDigest(), recorded::complete);
    boolean clean = await(recorded).filter(Reply.OK::equals).isPresent();
    core.atRest(
        () -> {
          contexts.term().end("the master was stopped");
          return null;
        });
    ports.log().close(clean);
  }

  private Optional<Reply> await(CompletableFuture<Reply> reply) {
    try {
      return Optional.of(reply.get(STOP_TIMEOUT_S, TimeUnit.SECONDS));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException | TimeoutException late) {
      return Optional.empty();
    }
  }

  @Override
  public void submit(Request request, Origin origin, ReplySink sink) {
    Optional<ErrorCode> illegal = tenancy.check(request);
    if (illegal.isPresent()) {
      sink.reply(Replies.refuse(request, illegal.get()));
      return;
    }
    Request resolved = tenancy.resolved(request);
    if (resolved instanceof Request.Mutation mutation) {
      mutate(mutation, origin, sink);
    } else {
      query((Request.Query) resolved, sink);
    }
  }

  private void mutate(Request.Mutation request, Origin origin, ReplySink sink) {
    if (request instanceof Request.RemoveByRegex byRegex) {
      scans.removeByRegex(byRegex, origin, sink);
    } else if (request instanceof Request.RemoveAll all) {
      scans.removeAll(all, origin, sink);
    } else {
      core.submit(new Command.ClientCall(request, origin), sink);
    }
  }

  private void query(Request.Query request, ReplySink sink) {
    boolean namedKeys =
        request instanceof Request.GetReplicaList
            || request instanceof Request.ExistKey
            || request instanceof Request.BatchGetReplicaList
            || request instanceof Request.BatchExistKey;
    if (namedKeys) {
      reads.serve(request, sink);
    } else if (request instanceof Request.GetReplicaListByRegex byRegex) {
      scans.list(byRegex, sink);
    } else {
      Reply reply = answers.answer(request);
      core.submit(
          new Command.Barrier(),
          barrier ->
              sink.reply(
                  barrier.equals(Reply.OK)
                      ? reply
                      : Replies.refuse(request, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS)));
    }
  }

  @Override
  public void softPin(
      List<String> keys, String tenant, OptionalLong ttlMs, Origin origin, ReplySink sink) {
    String resolved = tenancy.resolve(tenant.isEmpty() ? ObjectKey.DEFAULT_TENANT : tenant);
    if (!Tenancy.isValid(resolved)) {
      sink.reply(Reply.error(ErrorCode.INVALID_PARAMS));
      return;
    }
    core.submit(new Command.SoftPin(List.copyOf(keys), resolved, ttlMs), sink);
  }

  @Override
  public void connectionClosed(long connectionId) {
    core.submit(new Command.ConnectionClosed(connectionId), reply -> {});
  }

  @Override
  public void releaseLearned(Uuid clientId, String release) {
    core.submit(new Command.LearnRelease(clientId, release), reply -> {});
  }

  @Override
  public MasterView view() {
    return view;
  }

  /** For tests: what the log tells about commits. */
  CommitQueue commits() {
    return commits;
  }

  /** For checks of invariants; nobody else looks at a running term's state. */
  MasterState state() {
    return contexts.state();
  }
}
