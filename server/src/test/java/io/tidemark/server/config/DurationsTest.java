package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "5000, 5000",
    "0, 0",
    "5s, 5000",
    "3 s, 3000",
    "5S, 5000",
    "500ms, 500",
    "500 MS, 500",
    "1m, 60000",
    "1h, 3600000",
    "' 7 ', 7"
  })
  void readsAWholeNumberWithAUnit(String text, long millis) {
    assertThat(Durations.parseMs(text)).hasValue(millis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1.5s",
        "-5",
        "1d",
        "s",
        "5 s s",
        "0x5",
        "9223372036854775807h",
        "99999999999999999999",
        "+5"
      })
  void refusesEverythingElse(String text) {
    assertThat(Durations.parseMs(text)).isEmpty();
  }
}
