package io.tidemark.chaos.conformance;

import io.tidemark.chaos.process.Release;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the sequence of one seed: the same for the same seed, setting and release, and independent
 * of all answers.
 */
final class Script {
  private final Setting setting;
  private final Cast cast;
  private final Dice dice;
  private final SegmentMoves segments;
  private final WriteMoves writes;
  private final ReadMoves reads;
  private final RemovalMoves removals;
  private final boolean newest;
  private final List<Step> steps = new ArrayList<>();

  private Script(Setting setting, Release oracle, long seed) {
    this.setting = setting;
    this.cast = new Cast(seed);
    this.dice = cast.dice;
    this.newest = oracle == Release.V0_3_14;
    // What leaves memory with a writer or reader that may still use it (see MemoryReuse) is given
    // out again later by Tidemark, and addresses differ from then on: every other seed avoids it.
    boolean mayDisturb = seed % 2 == 1;
    this.segments = new SegmentMoves(cast);
    this.writes = new WriteMoves(cast, newest, mayDisturb);
    this.reads = new ReadMoves(cast, newest);
    this.removals = new RemovalMoves(cast, mayDisturb);
  }

  static List<Step> of(Setting setting, Release oracle, long seed) {
    Script script = new Script(setting, oracle, seed);
    script.write();
    return List.copyOf(script.steps);
  }

  private void write() {
    begin();
    int segmentChanges = 0;
    for (int i = 0; i < setting.steps(); i++) {
      rest(i);
      if (setting != Setting.LIVENESS && segmentChanges < 6 && dice.oneIn(45)) {
        segmentChanges++;
        change();
      } else {
        steps.add(call());
      }
    }
    if (dice.oneIn(3)) {
      steps.add(segments.unmountOfAnother());
      steps.add(reads.leasing());
    }
  }

  private void begin() {
    // With two lenders there is only one other place to go when one of them is silent.
    int lenders = setting == Setting.LIVENESS ? 2 : Cast.STRANGER;
    for (int client = 0; client < lenders; client++) {
      steps.add(segments.ping(client));
      steps.add(segments.mountNew(client));
      if (client != 1 || dice.oneIn(2)) {
        steps.add(segments.remount(client));
      }
      steps.add(segments.ping(client));
    }
  }

  /** The last place for allocations must stay: two masters need not agree on where else to go. */
  private void change() {
    steps.add(segments.change());
    if (cast.placeable().size() < 2) {
      steps.add(segments.mountNew(cast.anyLender()));
    }
  }

  private Step.Call call() {
    return dice.weighted(
        List.of(
            new Dice.Weighted<>(56, writes::any),
            new Dice.Weighted<>(18, reads::leasing),
            new Dice.Weighted<>(8, reads::traceless),
            new Dice.Weighted<>(6, reads::query),
            new Dice.Weighted<>(12, removals::any),
            new Dice.Weighted<>(setting == Setting.LEASES ? 2 : 1, removals::all),
            new Dice.Weighted<>(6, () -> segments.harmless(setting != Setting.LIVENESS))));
  }

  private void rest(int i) {
    switch (setting) {
      case LEASES -> {
        if (i % 60 == 59) {
          steps.add(new Step.PassDeadlines(10_000));
        }
      }
      case WRITES -> {
        if (i % 40 == 39) {
          steps.add(new Step.PassDeadlines(i % 80 == 79 ? 6_000 : 3_000));
        }
      }
      case LIVENESS -> {
        if (i % 20 == 19) {
          steps.add(new Step.Rest(800));
          steps.add(segments.ping(0));
          if (dice.oneIn(4)) {
            steps.add(segments.ping(1));
            steps.add(segments.remount(1));
            // A remount takes a suspected client back only with Tidemark, a ping with both.
            steps.add(segments.ping(1));
          }
        }
      }
      default -> {
        // Nothing runs out.
      }
    }
  }
}
