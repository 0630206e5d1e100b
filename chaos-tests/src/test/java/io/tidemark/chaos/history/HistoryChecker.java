package io.tidemark.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Whether what clients were told can be true of one store that loses nothing (HA-REQ-010, 012).
 *
 * <p>A key goes through the states that its writer gave it, one after the other. Each change
 * happened at one instant between its first call and its acknowledgement, each read looked at one
 * instant between its call and its answer. A history is sound if such instants can be found. If
 * not, something acknowledged was lost, something was seen before it was written, or something was
 * seen and then seen as it was before.
 */
public final class HistoryChecker {
  private final KeyHistory key;
  private final List<Change> states;
  private final List<String> violations = new ArrayList<>();

  private HistoryChecker(KeyHistory key) {
    this.key = key;
    this.states = key.changes();
  }

  /**
   * What can't be true, in words.
   *
   * @param quarantineMs for how long a range stays reserved whose writer gave up
   */
  public static List<String> violations(History history, long quarantineMs) {
    List<String> found = new ArrayList<>();
    for (KeyHistory key : history.all()) {
      HistoryChecker checker = new HistoryChecker(key);
      checker.checkReads();
      found.addAll(checker.violations);
    }
    found.addAll(new RangeChecker(quarantineMs).violations(history));
    return found;
  }

  /** A read and the earliest state that it can have seen. */
  private record Placed(Read read, int state) {}

  private void checkReads() {
    List<Read> reads = new ArrayList<>(key.reads());
    reads.sort(Comparator.comparingLong(Read::sentNanos));
    PriorityQueue<Placed> underWay =
        new PriorityQueue<>(Comparator.comparingLong((Placed placed) -> placed.read().doneNanos()));
    int floor = 0;
    for (Read read : reads) {
      while (!underWay.isEmpty() && underWay.peek().read().doneNanos() < read.sentNanos()) {
        floor = Math.max(floor, underWay.poll().state());
      }
      int state = earliest(read, floor);
      if (state < 0) {
        violations.add(describe(read, floor));
      } else {
        underWay.add(new Placed(read, state));
      }
    }
  }

  /** The first state not before {@code floor} that the read can have seen, or -1. */
  private int earliest(Read read, int floor) {
    for (int i = Math.max(floor, firstNotOver(read.sentNanos())); i < states.size(); i++) {
      if (states.get(i).sentNanos > read.doneNanos()) {
        return -1;
      }
      if (read.fits(states.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** The first state whose successor is not known to have begun before {@code nanos}. */
  private int firstNotOver(long nanos) {
    int low = 0;
    int high = states.size() - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (states.get(middle + 1).doneNanos() < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private String describe(Read read, int floor) {
    int first = firstNotOver(read.sentNanos());
    int least = Math.max(floor, first);
    String what =
        switch (read.seen()) {
          case FOUND, EXISTS -> wronglyFound(read);
          case NOT_FOUND, EXISTS_NOT, NOT_READY ->
              states.get(least).to == Change.To.STORED ? "lost" : "in a state that it can't have";
        };
    String why = floor > first ? ", which a reader had seen" : ", which was acknowledged";
    return key.key() + ": " + what + ": " + read + " after " + states.get(least) + why;
  }

  private String wronglyFound(Read read) {
    boolean later =
        states.stream().anyMatch(state -> read.fits(state) && state.sentNanos > read.doneNanos());
    boolean earlier =
        states.stream().anyMatch(state -> read.fits(state) && state.sentNanos < read.doneNanos());
    if (earlier) {
      return "there again after it was removed or replaced";
    }
    return later ? "readable before its writer ended it" : "readable where nobody wrote it";
  }
}
