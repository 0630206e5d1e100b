package io.tidemark.chaos.conformance;

import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.Release;
import java.util.Optional;

/** The master that is compared with the oracle. */
final class Subject {
  private Subject() {}

  static MasterProgram program() {
    return Optional.ofNullable(System.getProperty("tidemark.conformance.subject"))
        .map(Release::of)
        .map(MasterProgram::upstream)
        .orElse(MasterProgram.TIDEMARK);
  }
}
