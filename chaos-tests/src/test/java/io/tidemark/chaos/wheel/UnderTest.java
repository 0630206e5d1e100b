package io.tidemark.chaos.wheel;

import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.Release;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Which master the tests run, and with clients of which releases. See the package's description.
 */
final class UnderTest {
  private static final int FLEET = Release.values().length;

  private UnderTest() {}

  static MasterProgram master() {
    return upstream().map(MasterProgram::upstream).orElse(MasterProgram.TIDEMARK);
  }

  /** Each release once. */
  static List<Release> releases() {
    return fleet().stream().distinct().toList();
  }

  /** As many clients as there are releases: one of each, unless the master can only do with one. */
  static List<Release> fleet() {
    return upstream()
        .map(only -> Collections.nCopies(FLEET, only))
        .orElse(List.of(Release.values()));
  }

  private static Optional<Release> upstream() {
    return Optional.ofNullable(System.getProperty("tidemark.chaos.upstream")).map(Release::of);
  }
}
