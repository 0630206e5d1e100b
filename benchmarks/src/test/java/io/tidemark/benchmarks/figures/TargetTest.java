package io.tidemark.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetTest {

  private static Target atLeast(double limit, double median) {
    return Target.atLeast("get", "0.3.14", limit, new Spread(median, median / 2, median * 2));
  }

  private static Target atMost(double limit, double median) {
    return Target.atMost("restart", "kill -9", limit, "s", new Spread(median, median, median));
  }

  @Test
  void theLimitItselfIsMet() {
    assertThat(atLeast(1.5, 1.5).judgement()).isEqualTo("met");
    assertThat(atMost(3, 3).judgement()).isEqualTo("met");
  }

  @Test
  void aMissSaysByHowMuchOfTheTarget() {
    assertThat(atLeast(2, 1.5).judgement()).isEqualTo("**missed by 25 %**");
    assertThat(atMost(3, 4.5).judgement()).isEqualTo("**missed by 50 %**");
  }

  @Test
  void aNarrowMissIsNotCalledZero() {
    assertThat(atLeast(2, 1.9999).judgement()).isEqualTo("**missed by 1 %**");
  }

  @Test
  void theMedianIsJudgedAndTheRangeShown() {
    Target target = atLeast(1.5, 1.6);

    assertThat(target.isMet()).isTrue();
    assertThat(target.bound()).isEqualTo("≥ 1.50");
    assertThat(target.value()).isEqualTo("1.60");
    assertThat(target.range()).isEqualTo("0.80–3.20");
    assertThat(atMost(3, 2).bound()).isEqualTo("≤ 3.00 s");
  }

  @Test
  @SuppressWarnings("unchecked")
  void isReadAsItWasWritten() {
    Target target = atMost(3, 2.25);

    Object read = Json.read(Json.write(target.toJson()));

    assertThat(Target.fromJson((Map<String, Object>) read)).isEqualTo(target);
  }
}
