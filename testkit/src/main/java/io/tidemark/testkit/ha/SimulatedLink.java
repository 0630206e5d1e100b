package io.tidemark.testkit.ha;

import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One client's way to the simulated store and back, with what may happen on it. Requests and
 * answers travel as events of the store's time; a client gives up at its time-out, the request goes
 * on.
 */
public final class SimulatedLink {
  private final SimulatedStore store;
  private final Map<Fate.Step, Queue<Fate>> once = new EnumMap<>(Fate.Step.class);
  private Function<Fate.Step, Fate> always = step -> Fate.PROMPT;
  private boolean cut;

  SimulatedLink(SimulatedStore store) {
    this.store = store;
    for (Fate.Step step : Fate.Step.values()) {
      once.put(step, new ArrayDeque<>());
    }
  }

  /** The next request of this kind, after those arranged before, meets this fate. */
  public void next(Fate.Step step, Fate fate) {
    once.get(step).add(fate);
  }

  /** Every other request asks here for its fate; a seeded simulation throws its dice in it. */
  public void always(Function<Fate.Step, Fate> chooser) {
    always = chooser;
  }

  /** Cut: nothing gets through in either direction, also of what is under way. */
  public void cut(boolean value) {
    cut = value;
  }

  /** Whether the link is cut. */
  public boolean isCut() {
    return cut;
  }

  /**
   * Sends a request.
   *
   * @param carriedOut what happens at the store, at one instant; its value is the answer
   * @return completes while the store's time advances, at the latest after {@code timeoutNanos}
   */
  <T> CompletableFuture<Outcome<T>> send(
      Fate.Step step, long timeoutNanos, Supplier<Outcome<T>> carriedOut) {
    CompletableFuture<Outcome<T>> answer = new CompletableFuture<>();
    boolean sent = !cut;
    if (sent) {
      Fate arranged = once.get(step).poll();
      travel(arranged == null ? always.apply(step) : arranged, carriedOut, answer);
    }
    boolean unclear = sent && step != Fate.Step.READ && step != Fate.Step.GRANT;
    store.at(
        store.nowNanos() + timeoutNanos,
        () ->
            answer.complete(
                Outcome.not(
                    unclear ? Verdict.UNCLEAR : Verdict.UNAVAILABLE,
                    "no answer to " + step + (sent ? "" : ", which could not be sent"))));
    return answer;
  }

  private <T> void travel(
      Fate fate, Supplier<Outcome<T>> carriedOut, CompletableFuture<Outcome<T>> answer) {
    if (fate.requestLost()) {
      return;
    }
    store.at(
        store.nowNanos() + fate.requestNanos(),
        () -> {
          if (!cut) {
            Outcome<T> outcome = carriedOut.get();
            if (!fate.answerLost()) {
              store.at(store.nowNanos() + fate.answerNanos(), () -> arrive(answer, outcome));
            }
          }
        });
  }

  private <T> void arrive(CompletableFuture<Outcome<T>> answer, Outcome<T> outcome) {
    if (!cut) {
      answer.complete(outcome);
    }
  }
}
