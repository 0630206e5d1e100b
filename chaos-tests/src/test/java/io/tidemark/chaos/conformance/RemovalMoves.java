package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.Request;
import java.util.ArrayList;
import java.util.List;

/** Removals of all kinds. */
final class RemovalMoves {
  private static final String TENANT = "default";

  private final Cast cast;
  private final Dice dice;
  private final boolean mayForce;

  /**
   * Removals over a cast.
   *
   * @param mayForce whether leases may be overridden
   */
  RemovalMoves(Cast cast, boolean mayForce) {
    this.cast = cast;
    this.dice = cast.dice;
    this.mayForce = mayForce;
  }

  Step.Call any() {
    boolean force = dice.oneIn(3) && mayForce;
    Request request =
        dice.weighted(
            List.of(
                new Dice.Weighted<Request>(6, () -> remove(force)),
                new Dice.Weighted<Request>(4, () -> batchRemove(force)),
                new Dice.Weighted<Request>(2, () -> byRegex(force)),
                new Dice.Weighted<Request>(3, this::clear)));
    return new Step.Call(cast.anyClient(), request);
  }

  /** Removes everything that may be removed. */
  Step.Call all() {
    boolean force = dice.oneIn(2) && mayForce;
    cast.complete.keySet().removeIf(key -> !cast.open.containsKey(key));
    return new Step.Call(cast.anyClient(), new Request.RemoveAll(force, TENANT));
  }

  private Request remove(boolean force) {
    String key = dice.oneIn(15) ? "absent" : cast.anyKey();
    believeRemoved(key);
    return new Request.Remove(key, force, TENANT);
  }

  private Request batchRemove(boolean force) {
    List<String> keys = new ArrayList<>(dice.some(cast.keys, 5));
    keys.forEach(this::believeRemoved);
    return new Request.BatchRemove(keys, force, TENANT);
  }

  private Request byRegex(boolean force) {
    String pattern = dice.of(List.of("obj-1$", "obj-[5-9]$", "raw", "(", "absent", "-1[0-3]"));
    return new Request.RemoveByRegex(pattern, force, TENANT);
  }

  private Request clear() {
    List<String> keys = new ArrayList<>(dice.some(cast.keys, 5));
    List<String> names = cast.placeable();
    String segment = names.isEmpty() || dice.oneIn(2) ? "" : dice.of(names);
    return new Request.BatchReplicaClear(keys, cast.client(cast.anyClient()), segment, TENANT);
  }

  private void believeRemoved(String key) {
    if (!cast.open.containsKey(key)) {
      cast.complete.remove(key);
    }
  }
}
