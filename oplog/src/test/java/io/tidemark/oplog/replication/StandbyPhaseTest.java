package io.tidemark.oplog.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The whole table, step by step. */
class StandbyPhaseTest {

  private static Set<StandbyPhase> expected(StandbyPhase phase) {
    return switch (phase) {
      case PROBE -> EnumSet.of(StandbyPhase.TRUNCATE, StandbyPhase.SNAPSHOT, StandbyPhase.CLOSED);
      case SNAPSHOT -> EnumSet.of(StandbyPhase.CLOSED);
      case TRUNCATE -> EnumSet.of(StandbyPhase.REPLICATE, StandbyPhase.CLOSED);
      case REPLICATE -> EnumSet.of(StandbyPhase.CLOSED);
      case CLOSED -> EnumSet.noneOf(StandbyPhase.class);
    };
  }

  @Test
  void onlyTheStepsOfTheTableAreLegal() {
    for (StandbyPhase from : StandbyPhase.values()) {
      for (StandbyPhase to : StandbyPhase.values()) {
        boolean legal = expected(from).contains(to);
        assertThat(from.mayBecome(to)).as("%s to %s", from, to).isEqualTo(legal);
        if (legal) {
          assertThat(from.to(to)).isEqualTo(to);
        } else {
          assertThatThrownBy(() -> from.to(to)).isInstanceOf(IllegalStateException.class);
        }
      }
    }
  }
}
