package io.tidemark.core;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.rpc.Reply;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.metrics.CoreMetrics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Answers and reads that wait for a commit.
 *
 * <p>Answers of commands come in the order of their indexes and are never refused: the inbox bounds
 * them. Parked reads are bounded; above the bound they are refused, after a time-out they are
 * answered UNAVAILABLE_IN_CURRENT_STATUS.
 *
 * <p>Any thread.
 */
final class CommitQueue implements OperationLog.CommitListener {

  /** An answer that may leave once {@code index} is committed. */
  record Waiting(long index, Reply reply, ReplySink sink, Command command) {}

  /** A read that may be repeated once {@code index} is committed. */
  record ParkedRead(long index, long deadlineMs, Runnable retry, Runnable giveUp) {}

  private final Term term;
  private final CoreMetrics metrics;
  private final FaultHandler faults;
  private final int parkedReadCapacity;
  private final Deque<Waiting> answers = new ArrayDeque<>();

  /** Number of {@link #reads}, for a look without the lock. */
  private volatile int parkedReads;

  private final PriorityQueue<ParkedRead> reads =
      new PriorityQueue<>(Comparator.comparingLong(ParkedRead::index));

  CommitQueue(Term term, CoreMetrics metrics, FaultHandler faults, int parkedReadCapacity) {
    this.term = term;
    this.metrics = metrics;
    this.faults = faults;
    this.parkedReadCapacity = parkedReadCapacity;
  }

  /**
   * Queues answers; those that are due already are added to {@code done} together with earlier
   * ones.
   */
  void park(List<Waiting> fresh, List<Waiting> done) {
    synchronized (this) {
      if (term.isServing() && answers.isEmpty() && allCommitted(fresh)) {
        done.addAll(fresh);
      } else {
        answers.addAll(fresh);
        takeDue(done);
      }
    }
  }

  /**
   * Queues the answer of a single command unless it may leave at once.
   *
   * @return whether it may leave at once; the caller then hands it to {@link #deliver(Waiting)}
   */
  boolean mayLeave(Waiting fresh) {
    synchronized (this) {
      if (term.isServing() && answers.isEmpty() && fresh.index() <= term.committedIndex()) {
        return true;
      }
      answers.add(fresh);
      return false;
    }
  }

  /** Notes that entries up to {@code index} are committed; {@link #deliver} does the rest. */
  void advance(long index) {
    synchronized (this) {
      if (index > term.committedIndex()) {
        term.committed(index);
      }
    }
  }

  private boolean allCommitted(List<Waiting> fresh) {
    return fresh.isEmpty() || fresh.get(fresh.size() - 1).index() <= term.committedIndex();
  }

  private void takeDue(List<Waiting> done) {
    boolean over = !term.isServing();
    while (!answers.isEmpty() && (over || answers.peek().index() <= term.committedIndex())) {
      done.add(answers.poll());
    }
  }

  /**
   * Sends answers and repeats reads that may go on; not under the core role. A command whose term
   * ended before its commit has an unknown outcome and is told so (COR-04).
   */
  void deliver(List<Waiting> done) {
    for (int i = 0; i < done.size(); i++) {
      answer(done.get(i));
    }
    retryReads();
  }

  /** As {@link #deliver(List)}, of one answer. */
  void deliver(Waiting done) {
    answer(done);
    retryReads();
  }

  /** Delivers what may leave by now. */
  void deliverDue() {
    List<Waiting> done = new ArrayList<>();
    synchronized (this) {
      takeDue(done);
    }
    deliver(done);
  }

  private void answer(Waiting waiting) {
    boolean certain =
        waiting.reply() != null && waiting.index() <= term.committedIndex() && !term.isFenced();
    waiting
        .sink()
        .reply(
            certain
                ? waiting.reply()
                : Replies.refuse(waiting.command(), ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS));
  }

  @Override
  public void committed(long index) {
    advance(index);
    deliverDue();
  }

  @Override
  public void failed(LogFailureException failure) {
    String why = "the log failed: " + failure.getMessage();
    term.end(why);
    faults.termEnded(why, failure);
    committed(term.committedIndex());
  }

  /**
   * What waits has an unknown outcome; parked reads have a time-out of their own (COR-04). The
   * start of a term goes on waiting: nobody asked for it, and nothing is served before it.
   */
  @Override
  public void stalled() {
    List<Waiting> unknown = new ArrayList<>();
    synchronized (this) {
      answers.removeIf(
          waiting -> !(waiting.command() instanceof Command.StartTerm) && unknown.add(waiting));
    }
    for (Waiting waiting : unknown) {
      waiting
          .sink()
          .reply(Replies.refuse(waiting.command(), ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS));
    }
  }

  /** The term was ended: everything that waits is told so. */
  void termOver() {
    committed(term.committedIndex());
  }

  /** Parks a read; runs {@code giveUp} at once if there is no room. */
  void park(ParkedRead read) {
    boolean parked;
    synchronized (this) {
      parked = reads.size() < parkedReadCapacity;
      if (parked) {
        reads.add(read);
        parkedReads = reads.size();
      }
    }
    metrics.add(parked ? CoreMetric.READS_PARKED : CoreMetric.READS_PARK_REFUSED, 1);
    if (!parked) {
      read.giveUp().run();
    } else {
      retryReads();
    }
  }

  /** Gives up reads whose time is over at log time {@code nowMs}. */
  void expireReads(long nowMs) {
    List<ParkedRead> late = new ArrayList<>();
    synchronized (this) {
      reads.removeIf(read -> read.deadlineMs() <= nowMs && late.add(read));
      parkedReads = reads.size();
    }
    late.forEach(read -> read.giveUp().run());
  }

  private void retryReads() {
    if (parkedReads == 0) {
      return;
    }
    List<ParkedRead> due = new ArrayList<>();
    synchronized (this) {
      while (!reads.isEmpty()
          && (!term.isServing() || reads.peek().index() <= term.committedIndex())) {
        due.add(reads.poll());
      }
      parkedReads = reads.size();
    }
    due.forEach(read -> read.retry().run());
  }
}
