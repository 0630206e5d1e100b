package io.tidemark.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.node.SabotagedAssembly.Sabotage;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulation finds each fault that it is there to find, within a bounded number of seeds. A
 * membership that is not joint takes an accident arranged by hand: {@link MembershipAccidentsTest}.
 * What a later release writes is a case for {@link StandbyHaltTest}.
 */
class BrokenBuildTest {
  private static final int MOST_SEEDS = 60;

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "NOTHING",
        "COMMITS_WITHOUT_A_MEMBER_THAT_MAY_BE_IN",
        "WRITES_EVENTS_OF_A_LATER_RELEASE"
      })
  void aBrokenPartIsNoticed(Sabotage sabotage) {
    SimConfig config = SimConfig.standard(SimulatedLog.Mode.PAGE).with(sabotage);
    OptionalLong caught =
        LongStream.range(0, MOST_SEEDS).filter(seed -> breaks(config, seed)).findFirst();
    assertThat(caught).as("seed that shows %s", sabotage).isPresent();
  }

  private static boolean breaks(SimConfig config, long seed) {
    try {
      new SimRun(config, seed).run();
      return false;
    } catch (AssertionError broken) {
      assertThat(broken.getCause()).isInstanceOf(Violation.class);
      return true;
    }
  }
}
