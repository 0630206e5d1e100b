package io.tidemark.oplog.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.log.LogPosition;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CommonPointSearchTest {

  /** What a standby answers. */
  private static boolean ask(CommonPointSearch search, SimulatedLog standby) {
    OptionalLong match = OptionalLong.empty();
    OptionalLong mismatch = OptionalLong.empty();
    List<LogPosition> question = search.question();
    assertThat(question).hasSizeBetween(1, 16);
    for (LogPosition position : question) {
      if (standby.positionAt(position.index()).filter(position::equals).isPresent()) {
        match = OptionalLong.of(position.index());
      } else if (mismatch.isEmpty()) {
        mismatch = OptionalLong.of(position.index());
      }
    }
    return search.answer(match, mismatch);
  }

  private static int rounds(CommonPointSearch search, SimulatedLog standby) {
    int rounds = 0;
    while (!search.isOver()) {
      assertThat(ask(search, standby)).isTrue();
      rounds++;
    }
    return rounds;
  }

  @Test
  void theHighestCommonPositionIsFound() {
    SplittableRandom random = new SplittableRandom(7);
    for (int run = 0; run < 300; run++) {
      int common = random.nextInt(400);
      SimulatedLog leader = new SimulatedLog(SimulatedLog.Mode.PAGE);
      SimulatedLog standby = new SimulatedLog(SimulatedLog.Mode.PAGE);
      Entries.append(leader, 1, common, "same");
      Entries.ship(leader, standby, common);
      Entries.append(leader, 3, random.nextInt(100), "leader");
      Entries.append(standby, 2, random.nextInt(100), "standby");
      CommonPointSearch search =
          new CommonPointSearch(leader, 0, standby.end().index(), leader.end().index());
      assertThat(rounds(search, standby)).isLessThanOrEqualTo(4);
      assertThat(search.found()).contains(leader.positionAt(common).orElseThrow());
    }
  }

  @Test
  void withoutACommonPositionNothingIsFound() {
    SimulatedLog leader = new SimulatedLog(SimulatedLog.Mode.PAGE);
    SimulatedLog standby = new SimulatedLog(SimulatedLog.Mode.PAGE);
    Entries.append(leader, 2, 50, "leader");
    Entries.append(standby, 1, 50, "standby");
    leader.removeBefore(20);
    CommonPointSearch search = new CommonPointSearch(leader, 0, 50, 50);
    rounds(search, standby);
    assertThat(search.found()).isEmpty();
    assertThat(new CommonPointSearch(leader, 0, 5, 50).isOver()).isTrue();
  }

  @Test
  void answersThatCannotBeAreRefused() {
    SimulatedLog leader = new SimulatedLog(SimulatedLog.Mode.PAGE);
    Entries.append(leader, 1, 50, "x");
    CommonPointSearch search = new CommonPointSearch(leader, 10, 40, 50);
    assertThat(search.answer(OptionalLong.of(41), OptionalLong.empty())).isFalse();
    assertThat(search.answer(OptionalLong.empty(), OptionalLong.empty())).isFalse();
    assertThat(search.answer(OptionalLong.of(20), OptionalLong.of(20))).isFalse();
  }
}
