package io.tidemark.api.port;

/** Chance, handed to deciders; its outcomes are in the events. */
@FunctionalInterface
public interface RandomSource {
  /** A uniformly distributed number in [0, bound). Called by the holder of the core role only. */
  int nextInt(int bound);
}
