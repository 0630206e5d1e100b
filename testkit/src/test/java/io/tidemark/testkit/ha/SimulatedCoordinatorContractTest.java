package io.tidemark.testkit.ha;

import io.tidemark.api.ha.Coordinator;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** The simulated store's clients keep the contract. */
class SimulatedCoordinatorContractTest extends SharedCoordinatorContract {
  private static final long LIMIT_NANOS = 60_000_000_000L;

  private final SimulatedStore store = new SimulatedStore();

  @Override
  protected Coordinator openCoordinator() {
    return new SimulatedCoordinator(store, "c1");
  }

  @Override
  protected <T> T await(CompletableFuture<T> call) {
    waitUntil("the call ends", call::isDone);
    return call.join();
  }

  @Override
  protected long nanos() {
    return store.nowNanos();
  }

  @Override
  protected String viewKey() {
    return "mooncake-store/c1/master_view";
  }

  @Override
  protected Map<String, RawKey> keys() {
    Map<String, RawKey> keys = new TreeMap<>();
    store
        .keys()
        .forEach(
            (name, entry) ->
                keys.put(
                    name,
                    new RawKey(
                        entry.value().toString().getBytes(StandardCharsets.US_ASCII),
                        entry.createRevision(),
                        entry.lease() != 0)));
    return keys;
  }

  @Override
  protected void putForeignView(String address) {
    store.putForeign(viewKey(), address);
  }

  @Override
  protected void stopRenewals(Coordinator of) {
    ((SimulatedCoordinator) of).pauseRenewals(true);
  }

  @Override
  protected void loseAnswerOfNextWrite(Coordinator of) {
    ((SimulatedCoordinator) of).link().next(Fate.Step.WRITE, Fate.ANSWER_LOST);
  }

  @Override
  protected void wipe() {
    store.wipe();
  }

  @Override
  protected void waitUntil(String what, BooleanSupplier condition) {
    long limit = store.nowNanos() + LIMIT_NANOS;
    while (!condition.getAsBoolean()) {
      OptionalLong next = store.nextEventNanos();
      if (next.isEmpty() || next.getAsLong() > limit) {
        throw new AssertionError("never happens: " + what);
      }
      store.advanceTo(next.getAsLong());
    }
  }

  @Override
  protected void passUntil(long nanos) {
    store.advanceTo(nanos);
  }
}
