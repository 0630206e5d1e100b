package io.tidemark.chaos.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** All chance of a sequence, from its seed. */
final class Dice {
  private final SplittableRandom random;

  Dice(long seed) {
    this.random = new SplittableRandom(seed);
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  long nextLong() {
    return random.nextLong();
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  <T> T of(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** Some of the choices, in any order, repetitions possible. */
  <T> List<T> some(List<T> choices, int atMost) {
    List<T> chosen = new ArrayList<>();
    int count = random.nextInt(atMost + 1);
    for (int i = 0; i < count; i++) {
      chosen.add(of(choices));
    }
    return chosen;
  }

  /** What may be done, with how often. */
  record Weighted<T>(int weight, Supplier<T> choice) {}

  <T> T weighted(List<Weighted<T>> choices) {
    int total = choices.stream().mapToInt(Weighted::weight).sum();
    int at = random.nextInt(total);
    for (Weighted<T> choice : choices) {
      at -= choice.weight();
      if (at < 0) {
        return choice.choice().get();
      }
    }
    throw new IllegalStateException("no choices");
  }
}
