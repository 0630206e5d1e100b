package io.tidemark.testkit.sim;

import io.tidemark.testkit.ha.SimulatedStore;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/**
 * The time of a run and what happens in it, in the order of time and, at the same instant, of
 * scheduling. The coordination store's own events run in the same time. Not thread-safe.
 */
public final class SimulatedTime {
  private static final int MAX_SCHEDULED = 1_000_000;

  private final SimulatedStore store;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::order));
  private long order;

  private record Event(long atNanos, long order, Runnable action) {}

  public SimulatedTime(SimulatedStore store) {
    this.store = store;
  }

  public long nanos() {
    return store.nowNanos();
  }

  /** Runs an action after a delay. */
  public void after(long delayNanos, Runnable action) {
    if (events.size() >= MAX_SCHEDULED) {
      throw new IllegalStateException(MAX_SCHEDULED + " events are scheduled");
    }
    events.add(new Event(nanos() + Math.max(0, delayNanos), order++, action));
  }

  /**
   * Lets the next thing happen.
   *
   * @return false if nothing is due until {@code endNanos}, where time stands then
   */
  public boolean step(long endNanos) {
    OptionalLong stores = store.nextEventNanos();
    long own = events.isEmpty() ? Long.MAX_VALUE : events.peek().atNanos();
    long next = Math.min(own, stores.orElse(Long.MAX_VALUE));
    if (next > endNanos) {
      store.advanceTo(endNanos);
      return false;
    }
    store.advanceTo(Math.max(next, nanos()));
    if (!events.isEmpty() && events.peek().atNanos() <= nanos()) {
      events.poll().action().run();
    }
    return true;
  }
}
