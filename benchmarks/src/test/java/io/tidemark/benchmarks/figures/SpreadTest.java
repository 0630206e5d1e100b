package io.tidemark.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void medianOfAnOddNumberIsTheMiddleOne() {
    assertThat(Spread.of(9, 1, 4)).isEqualTo(new Spread(4, 1, 9));
  }

  @Test
  void medianOfAnEvenNumberLiesBetweenTheMiddleOnes() {
    assertThat(Spread.of(8, 1, 4, 2)).isEqualTo(new Spread(3, 1, 8));
  }

  @Test
  void ratiosAreTakenRoundByRound() {
    // The second round was slow for both: the ratio of the medians would be 3, no round had that.
    Spread ratios = Spread.ofRatios(List.of(200.0, 20.0, 300.0), List.of(100.0, 10.0, 100.0));

    assertThat(ratios).isEqualTo(new Spread(2, 2, 3));
  }

  @Test
  void roundsThatDoNotPairAreRefused() {
    assertThatThrownBy(() -> Spread.ofRatios(List.of(1.0, 2.0), List.of(1.0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 values beside 1");
    assertThatThrownBy(() -> Spread.of()).isInstanceOf(IllegalArgumentException.class);
  }
}
