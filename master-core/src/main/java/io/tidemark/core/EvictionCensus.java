package io.tidemark.core;

import io.tidemark.core.object.ObjectContext;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who may be evicted, oldest lease first; ties in the order of their last change.
 *
 * <p>The first scan keeps two numbers of each object, the second fetches the keys of those that are
 * wanted: with millions of objects a list of all candidates would fill the heap at the moment when
 * memory is short. On the scan thread.
 */
final class EvictionCensus {
  /** Stripes are seen whole, so that none is seen twice for having grown in between. */
  private static final int WHOLE_STRIPE = Integer.MAX_VALUE;

  /** Candidates beyond the wanted number, since some may be in use again when they are judged. */
  private static final int SPARE = 64;

  private static final Comparator<Candidate> BY_AGE =
      Comparator.comparingLong(Candidate::leaseUntilMs).thenComparingLong(Candidate::order);

  private final ObjectContext context;
  private final Pacing pacing;
  private final Ages unpinned = new Ages();
  private final Ages softPinned = new Ages();
  private long base;

  private record Candidate(ScopedKey key, long leaseUntilMs, long order) {}

  EvictionCensus(ObjectContext context, Pacing pacing) {
    this.context = context;
    this.pacing = pacing;
    context.state().objects().scan(WHOLE_STRIPE, this::count, pacing::afterSlice);
  }

  /** Objects with memory that could be evicted if nobody used them. */
  long base() {
    return base;
  }

  /** Candidates without a soft pin. */
  long unpinned() {
    return unpinned.count();
  }

  private void count(ObjectCursor object) {
    if (object.isHardPinned() || !context.rules().hasEvictable(object)) {
      return;
    }
    base++;
    if (!context.isLeased(object)) {
      (context.isSoftPinned(object) ? softPinned : unpinned)
          .add(object.leaseUntilMs(), object.lastIndex());
    }
  }

  /**
   * At least the {@code wanted} oldest candidates, if there are as many.
   *
   * @param soft those with a soft pin, else those without
   */
  List<ScopedKey> oldest(long wanted, boolean soft) {
    Ages ages = soft ? softPinned : unpinned;
    Age limit = ages.ofRank(wanted + wanted / 8 + SPARE, pacing::afterSlice);
    List<Candidate> chosen = new ArrayList<>();
    context
        .state()
        .objects()
        .scan(
            WHOLE_STRIPE,
            object -> {
              if (isCandidate(object, soft)
                  && limit.reaches(object.leaseUntilMs(), object.lastIndex())) {
                chosen.add(new Candidate(object.key(), object.leaseUntilMs(), object.lastIndex()));
              }
            },
            pacing::afterSlice);
    List<ScopedKey> keys = new ArrayList<>(chosen.size());
    for (Candidate candidate : PacedSort.sorted(chosen, BY_AGE, pacing::afterSlice)) {
      keys.add(candidate.key());
    }
    return keys;
  }

  private boolean isCandidate(ObjectCursor object, boolean soft) {
    return !object.isHardPinned()
        && context.rules().hasEvictable(object)
        && !context.isLeased(object)
        && context.isSoftPinned(object) == soft;
  }

  private record Age(long leaseUntilMs, long order) {
    boolean reaches(long lease, long lastIndex) {
      return lease < leaseUntilMs || lease == leaseUntilMs && lastIndex <= order;
    }
  }

  /** Lease ends and last changes of many objects. */
  private static final class Ages {
    private final LongList leases = new LongList();
    private final LongList orders = new LongList();

    void add(long leaseUntilMs, long order) {
      leases.add(leaseUntilMs);
      orders.add(order);
    }

    int count() {
      return leases.size();
    }

    /**
     * The age of the {@code rank}-th oldest, or one that reaches all if there are fewer.
     *
     * @param rest called often
     */
    Age ofRank(long rank, Runnable rest) {
      if (rank >= count()) {
        return new Age(Long.MAX_VALUE, Long.MAX_VALUE);
      }
      PacedSelection selection = new PacedSelection(rest);
      long lease = selection.ofRank(leases, rank);
      LongList tied = new LongList();
      long older = 0;
      for (int i = 0; i < count(); i++) {
        long other = leases.get(i);
        if (other == lease) {
          tied.add(orders.get(i));
        } else if (other < lease) {
          older++;
        }
        if (i % PacedSelection.VALUES_A_STEP == 0) {
          rest.run();
        }
      }
      return new Age(lease, selection.ofRank(tied, rank - older));
    }
  }
}
