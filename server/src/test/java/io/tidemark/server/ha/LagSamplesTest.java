package io.tidemark.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LagSamplesTest {
  private static final long MS = 1_000_000;

  private final LagSamples samples = new LagSamples();

  @Test
  void whoHoldsEverythingLacksNothing() {
    samples.note(10, 1_000, 0);
    assertThat(samples.behind(10, 10, 1_000, 500 * MS)).isEqualTo(new LagSamples.Lag(0, 0));
  }

  @Test
  void aLagIsCountedFromTheNewestSampleThatWasReached() {
    samples.note(10, 1_000, 0);
    samples.note(20, 2_000, 100 * MS);
    samples.note(25, 2_100, 150 * MS);
    samples.note(30, 3_000, 200 * MS);
    assertThat(samples.behind(20, 30, 3_000, 250 * MS)).isEqualTo(new LagSamples.Lag(1_000, 150));
    assertThat(samples.behind(29, 30, 3_000, 250 * MS)).isEqualTo(new LagSamples.Lag(1_000, 150));
    assertThat(samples.behind(12, 30, 3_000, 250 * MS)).isEqualTo(new LagSamples.Lag(2_000, 250));
  }

  @Test
  void beyondTheHorizonTheLagIsTheHorizon() {
    for (int i = 0; i < 1_000; i++) {
      samples.note(i, i * 10L, i * 100 * MS);
    }
    LagSamples.Lag lag = samples.behind(5, 999, 9_990, 99_900 * MS);
    assertThat(lag.millis()).isEqualTo(59_900);
    assertThat(lag.bytes()).isEqualTo(5_990);
  }
}
