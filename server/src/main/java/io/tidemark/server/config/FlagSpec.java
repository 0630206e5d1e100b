package io.tidemark.server.config;

/**
 * One flag of the table.
 *
 * @param defaultValue as written in the table; canonical for its type except durations with a unit
 * @param origin {@code mooncake}, {@code glog} (Google's logging library, linked into Mooncake's
 *     master) or {@code tidemark}
 * @param meaning what it does; for a flag without effect, why and what takes its place
 */
public record FlagSpec(
    String name,
    FlagType type,
    String defaultValue,
    String origin,
    FlagStatus status,
    String group,
    String meaning) {

  /** Whether setting it deserves a warning. */
  boolean hasNoEffect() {
    return status == FlagStatus.LATER || status == FlagStatus.REPLACED;
  }
}
