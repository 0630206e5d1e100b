package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.Request;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Looks for a short sequence that still shows a difference: what comes after it is cut off, what
 * concerns other keys is left out, then halves of the rest.
 */
final class Shrinker {
  private static final int MOST_RUNS = 10;
  private static final int SHORT = 6;
  private static final long LONGEST_MS = 90_000;

  private final ExactRun runner;
  private final long giveUpMs = ProtocolWait.nowMs() + LONGEST_MS;
  private final int mostRuns = Integer.getInteger("tidemark.conformance.shrink", MOST_RUNS);
  private int runs;

  Shrinker(ExactRun runner) {
    this.runner = runner;
  }

  /** A report of the difference with the shortest sequence that was found. */
  String report(List<Step> steps, ExactRun.Outcome outcome, long seed) {
    Difference difference = outcome.differences().get(0);
    List<Step> shortest = shrink(steps.subList(0, difference.step() + 1), difference);
    String minimal =
        shortest.stream()
            .filter(step -> !(step instanceof Step.Rest))
            .map(Shrinker::show)
            .collect(Collectors.joining("\n  "));
    String all =
        outcome.differences().stream().map(Object::toString).collect(Collectors.joining("\n"));
    return difference.setting()
        + " against "
        + difference.oracle()
        + ", seed "
        + seed
        + (outcome.late() ? " (a call met a deadline: perhaps only timing)" : "")
        + "\n"
        + all
        + "\n"
        + shortest.size()
        + " of "
        + (difference.step() + 1)
        + " steps are enough:\n  "
        + minimal;
  }

  private static String show(Step step) {
    return step instanceof Step.Call call
        ? "client " + call.client() + " " + Shown.request(call.request())
        : step.toString();
  }

  private List<Step> shrink(List<Step> steps, Difference difference) {
    List<Step> best = steps;
    List<Step> related = related(steps, difference);
    if (related.size() < best.size() && mayRun() && stillDiffers(related, difference)) {
      best = related;
    }
    for (int part = best.size() / 2; part >= 1 && mayRun(); part /= 2) {
      for (int from = 0; from + part < best.size() && mayRun(); ) {
        List<Step> less = new ArrayList<>(best.subList(0, from));
        less.addAll(best.subList(from + part, best.size()));
        if (stillDiffers(less, difference)) {
          best = less;
        } else {
          from += part;
        }
      }
      if (best.size() <= SHORT) {
        break;
      }
    }
    return best;
  }

  private boolean mayRun() {
    return runs < mostRuns && ProtocolWait.nowMs() < giveUpMs;
  }

  /** Steps about the same keys, and those about segments and clients. */
  private static List<Step> related(List<Step> steps, Difference difference) {
    Set<String> keys = new HashSet<>(Shown.keys(difference.request()));
    if (keys.isEmpty()) {
      return steps;
    }
    return steps.stream()
        .filter(
            step ->
                !(step instanceof Step.Call call)
                    || Shown.keys(call.request()).isEmpty() && !isRead(call.request())
                    || Shown.keys(call.request()).stream().anyMatch(keys::contains))
        .toList();
  }

  private static boolean isRead(Request request) {
    return request instanceof Request.Query;
  }

  private boolean stillDiffers(List<Step> steps, Difference difference) {
    runs++;
    List<Difference> found = runner.run(steps).differences();
    return !found.isEmpty()
        && found.get(0).request().rpc() == difference.request().rpc()
        && strip(found.get(0).actual()).equals(strip(difference.actual()));
  }

  /** Without what depends on the rest of the sequence. */
  private static String strip(String item) {
    return item.replaceAll("#\\d+|\\+\\d+", "");
  }
}
