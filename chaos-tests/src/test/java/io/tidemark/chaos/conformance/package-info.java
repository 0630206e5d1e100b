/**
 * Differential tests: the same calls, made from a seed, go to a master that comes with a Mooncake
 * wheel (the oracle) and to Tidemark (the subject), and the answers are compared.
 *
 * <p>The exact arm leaves nothing to chance (placement forced, eviction out of reach, no call near
 * a deadline) and compares every field. The loose arm fills pools and lets both evict; it compares
 * invariants and counts. An answer that differs is a failure unless {@link
 * io.tidemark.chaos.conformance.KnownDifference} names it, and each of those is explained in {@code
 * docs/reference/differences.md}.
 *
 * <p>System properties: {@code tidemark.conformance.seeds} runs that many seeds of each setting
 * instead of the default few; {@code tidemark.conformance.seed} runs only this one, {@code
 * tidemark.conformance.setting} only this setting; {@code tidemark.conformance.shrink} limits the
 * runs spent on shortening a failed sequence; {@code tidemark.conformance.subject} names a release
 * whose master takes Tidemark's place, to test the test.
 */
package io.tidemark.chaos.conformance;
