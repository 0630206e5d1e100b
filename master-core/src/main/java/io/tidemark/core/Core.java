package io.tidemark.core;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.rpc.Reply;
import io.tidemark.core.metrics.CoreMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The single writer. It is a role, not a thread: whoever hands in a command and finds the role free
 * takes it, works off the inbox and lets go; everybody else enqueues and returns. Whoever holds it
 * never waits for a disk or another node.
 *
 * <p>Order of duties for each command: decide and apply item by item, append, end the batch; the
 * reply leaves when the last index appended before its decision is committed (COR-01).
 */
final class Core {
  private static final int MAX_BATCH_COMMANDS = 256;

  private record Task(Command command, ReplySink sink) {}

  private final ReentrantLock role = new ReentrantLock();
  private final Queue<Task> inbox = new ConcurrentLinkedQueue<>();
  private final AtomicInteger inboxSize = new AtomicInteger();
  private final int inboxCapacity;
  private final OperationLog log;
  private final BatchWriter batch;
  private final CommandExecutor executor;
  private final CommitQueue commits;
  private final Term term;
  private final MasterState state;
  private final FaultHandler faults;

  Core(
      int inboxCapacity,
      OperationLog log,
      BatchWriter batch,
      CommandExecutor executor,
      CommitQueue commits,
      Term term,
      MasterState state,
      FaultHandler faults) {
    this.inboxCapacity = inboxCapacity;
    this.log = log;
    this.batch = batch;
    this.executor = executor;
    this.commits = commits;
    this.term = term;
    this.state = state;
    this.faults = faults;
  }

  /** Hands a command in. The answer may come before this returns, on this thread. */
  void submit(Command command, ReplySink sink) {
    if (inbox.isEmpty() && role.tryLock()) {
      runAlone(command, sink);
    } else {
      enqueue(command, sink);
    }
    runIfFree();
  }

  /** The usual case: nobody waits, nobody holds the role. No queue, no lists. */
  private void runAlone(Command command, ReplySink sink) {
    CommitQueue.Waiting answer;
    boolean mayLeave;
    try {
      Reply reply = run(command);
      answer = new CommitQueue.Waiting(batch.lastIndex(), reply, sink, command);
      if (term.isServing()) {
        endBatch();
      }
      mayLeave = commits.mayLeave(answer);
    } finally {
      role.unlock();
    }
    if (mayLeave) {
      commits.deliver(answer);
    } else {
      commits.deliverDue();
    }
  }

  private void enqueue(Command command, ReplySink sink) {
    if (inboxSize.incrementAndGet() > inboxCapacity) {
      inboxSize.decrementAndGet();
      state.metrics().add(CoreMetric.INBOX_FULL, 1);
      sink.reply(Replies.refuse(command, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS));
      return;
    }
    inbox.add(new Task(command, sink));
  }

  /** Takes the role if nobody has it; looks at the inbox once more after each release (COR-05). */
  private void runIfFree() {
    while (!inbox.isEmpty() && role.tryLock()) {
      List<CommitQueue.Waiting> done = new ArrayList<>();
      try {
        runBatch(done);
      } finally {
        role.unlock();
      }
      commits.deliver(done);
    }
  }

  /** Works off commands under the role; what is committed at once is added to {@code done}. */
  private void runBatch(List<CommitQueue.Waiting> done) {
    List<CommitQueue.Waiting> answers = new ArrayList<>();
    for (int i = 0; i < MAX_BATCH_COMMANDS; i++) {
      Task task = inbox.poll();
      if (task == null) {
        break;
      }
      inboxSize.decrementAndGet();
      Reply reply = run(task.command());
      answers.add(new CommitQueue.Waiting(batch.lastIndex(), reply, task.sink(), task.command()));
    }
    if (term.isServing()) {
      endBatch();
    }
    commits.park(answers, done);
  }

  private void endBatch() {
    try {
      log.endBatch();
      commits.advance(log.committedIndex());
    } catch (LogFailureException failure) {
      end("the log failed: " + failure.getMessage(), failure);
    }
  }

  /** Null if the term is over. */
  private Reply run(Command command) {
    if (!term.isServing()) {
      return null;
    }
    if (!log.hasSpace() && executor.needsSpace(command)) {
      state.metrics().add(CoreMetric.LOG_FULL_REFUSALS, 1);
      return Replies.refuse(command, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    }
    if (!term.mayPlace() && command instanceof Command.ClientCall call && call.startsWrites()) {
      return Replies.refuse(command, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    }
    try {
      batch.begin(
          term.epoch(), executor.begin(), executor.causeOf(command), executor.actorOf(command));
      Reply reply = executor.execute(command);
      batch.finish();
      return reply;
    } catch (LogFailureException failure) {
      end("the log failed: " + failure.getMessage(), failure);
      return null;
    } catch (LogFullException full) {
      end("the log has no room: " + full.getMessage(), full);
      return null;
    } catch (RuntimeException broken) {
      return fault(command, broken);
    }
  }

  /**
   * A decider that throws before it changed anything costs its caller an error; after a change it
   * costs the term.
   */
  private Reply fault(Command command, RuntimeException broken) {
    if (batch.eventsInBatch() == 0) {
      faults.commandFailed(command.getClass().getSimpleName(), broken);
      return Replies.refuse(command, ErrorCode.INTERNAL_ERROR);
    }
    end(
        "an invariant broke while running " + command.getClass().getSimpleName() + ": " + broken,
        broken);
    return null;
  }

  private void end(String why, Throwable cause) {
    term.end(why, cause);
    faults.termEnded(why, cause);
  }

  /** Runs {@code action} while nobody else holds the role; for scans that need a state at rest. */
  <T> T atRest(Supplier<T> action) {
    role.lock();
    try {
      return action.get();
    } finally {
      role.unlock();
      runIfFree();
    }
  }
}
