package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Member;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.log.ReplicaLog;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The log of a leader, as the core sees it: appends go to the local log, and an entry is committed
 * once every member that is required holds it durably (COR-14, COR-15). Belongs to one term.
 *
 * <p>Threads: {@link #append}, {@link #endBatch} and {@link #hasSpace} by the holder of the core
 * role; everything that concerns members by the node's loop; getters by any thread. The commit
 * listener is called by the loop or by the local log's thread, without a lock held, and may
 * therefore hear of a lower index after a higher one.
 */
public class ReplicatedLog implements OperationLog {
  private static final int DIGEST = Cause.of(Cause.Trigger.DIGEST);

  private final ReplicaLog local;
  private final Member self;
  private final long epoch;
  private final int minInSync;
  private final BooleanSupplier fenced;
  private final ReplicationCounters counters;
  private final Runnable appended;

  // Guarded by this.
  private final Map<Member, Long> durable = new HashMap<>();
  private Set<Member> required = Set.of();

  /** Written under the lock; read without it, before every command. */
  private volatile boolean enough;

  private volatile long committed;
  private volatile long wholeIndex;
  private volatile long digestIndex;
  private volatile boolean over;
  private volatile LogFailureException localFailure;
  private volatile CommitListener listener;

  /**
   * What a term's log is made of.
   *
   * @param fenced whether the leadership may be over; any thread, cheap
   * @param appended told after each batch that there is something to ship; any thread, must return
   *     at once
   */
  public record Parts(
      ReplicaLog local,
      Member self,
      long epoch,
      int minInSync,
      BooleanSupplier fenced,
      ReplicationCounters counters,
      Runnable appended) {}

  /** Takes over a local log that ends with a whole batch. */
  public ReplicatedLog(Parts parts, Collection<Member> inSync) {
    local = parts.local();
    self = parts.self();
    epoch = parts.epoch();
    minInSync = parts.minInSync();
    fenced = parts.fenced();
    counters = parts.counters();
    appended = parts.appended();
    wholeIndex = local.end().index();
    committed = local.knownCommit();
    require(inSync, inSync.size());
    local.onCommit(
        new CommitListener() {
          @Override
          public void committed(long index) {
            advanceAndTell();
          }

          @Override
          public void failed(LogFailureException failure) {
            localFailed(failure);
          }

          /** Too few members is this log's to find out; the local one has no others. */
          @Override
          public void stalled() {}
        });
  }

  // ---- the core's side

  @Override
  public LogPosition end() {
    return local.end();
  }

  @Override
  public void append(EntryHeader header, byte[] payload, int offset, int length) {
    if (isOver()) {
      counters.add(ReplicationCounter.APPENDS_FENCED, 1);
      throw new LogFailureException("the leadership of epoch " + epoch + " is over");
    }
    try {
      local.append(header, payload, offset, length);
      if (header.causeCode() == DIGEST) {
        digestIndex = header.index();
      }
    } catch (LogFailureException failure) {
      localFailure = failure;
      throw failure;
    }
  }

  @Override
  public void endBatch() {
    if (over) {
      throw new LogFailureException("the leadership of epoch " + epoch + " is over");
    }
    try {
      local.endBatch();
    } catch (LogFailureException failure) {
      localFailure = failure;
      throw failure;
    }
    wholeIndex = local.end().index();
    advance();
    appended.run();
  }

  @Override
  public long committedIndex() {
    return committed;
  }

  /** False also while too few members are in sync, or the leadership may be over (COR-04). */
  @Override
  public boolean hasSpace() {
    return hasEnough() && !isOver() && local.hasSpace();
  }

  @Override
  public void onCommit(CommitListener newListener) {
    listener = newListener;
  }

  @Override
  public void read(long fromIndex, EntryReader reader) {
    local.read(fromIndex, reader);
  }

  /** Ends the term; the local log stays open for the node's next role. */
  @Override
  public void close(boolean clean) {
    over = true;
  }

  // ---- the loop's side

  /** The last entry of this term that holds the state's digest, 0 while there is none. */
  long digestIndex() {
    return digestIndex;
  }

  /** Last entry of the last whole batch: what may be shipped. */
  public long wholeIndex() {
    return wholeIndex;
  }

  /** Why the local log takes nothing more, null while it does. */
  public LogFailureException localFailure() {
    return localFailure;
  }

  ReplicaLog local() {
    return local;
  }

  Member self() {
    return self;
  }

  boolean isOver() {
    return over || fenced.getAsBoolean();
  }

  boolean hasEnough() {
    return enough;
  }

  /**
   * From now on commit needs all of these members. What was committed stays so.
   *
   * @param members every member of every set that the record may hold (COR-14)
   * @param surelyInSync size of the smallest set that it may hold
   */
  synchronized void require(Collection<Member> members, int surelyInSync) {
    required = Set.copyOf(new LinkedHashSet<>(members));
    enough = surelyInSync >= minInSync;
  }

  synchronized Set<Member> required() {
    return required;
  }

  /** A member's stream began anew: only what it acknowledges from now on counts (COR-14). */
  synchronized void streamBegan(Member member) {
    durable.remove(member);
  }

  /** A member holds everything up to {@code index} durably. */
  void acknowledged(Member member, long index) {
    synchronized (this) {
      durable.merge(member, index, Math::max);
    }
    advanceAndTell();
  }

  /** Up to where a member acknowledged in its present stream, 0 if there is none. */
  synchronized long durableIndexOf(Member member) {
    return member.equals(self) ? local.durableIndex() : durable.getOrDefault(member, 0L);
  }

  /** Looks whether more is committed, after {@link #require}. */
  void advanceAndTell() {
    long before = committed;
    long now = advance();
    CommitListener told = listener;
    if (now > before && told != null) {
      told.committed(now);
    }
  }

  /** Tells those who wait that too few members are in sync. */
  void tellStalled() {
    CommitListener told = listener;
    if (!hasEnough() && told != null) {
      told.stalled();
    }
  }

  private synchronized long advance() {
    if (enough && !isOver()) {
      long index = agreedIndex();
      if (index > committed) {
        committed = index;
        local.noteCommit(index);
      }
    }
    return committed;
  }

  /** Highest index that every required member holds durably; called under the lock. */
  long agreedIndex() {
    long agreed = Long.MAX_VALUE;
    for (Member member : required) {
      agreed = Math.min(agreed, durableIndexOf(member));
    }
    return agreed;
  }

  private void localFailed(LogFailureException failure) {
    localFailure = failure;
    CommitListener told = listener;
    if (told != null) {
      told.failed(failure);
    }
  }
}
