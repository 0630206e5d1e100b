package io.tidemark.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void readsWhatItWrites() {
    Map<String, Object> value =
        Json.object(
            "text", "p99 \"µs\" \\ \n",
            "met", true,
            "none", List.of(),
            "numbers", List.of(1.0, -0.25, 1e9),
            "nested", List.of(Json.object("a", List.of("b"), "c", false)));

    assertThat(Json.read(Json.write(value))).isEqualTo(value);
  }

  @Test
  void shortValuesStayOnALineAndLongOnesDoNot() {
    assertThat(Json.write(Json.object("a", 1, "b", 0.5))).isEqualTo("{\"a\": 1, \"b\": 0.5}\n");
    String longOne = Json.write(Collections.nCopies(30, "abcdef"));
    assertThat(longOne).startsWith("[\n  \"abcdef\",\n").endsWith("\n]\n");
  }

  @Test
  void numbersKeepFourDecimals() {
    assertThat(Json.write(List.of(1.0 / 3, 2, 0.1))).isEqualTo("[0.3333, 2, 0.1]\n");
    assertThatThrownBy(() -> Json.write(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesWhatIsNotJson() {
    for (String text : List.of("", "{", "[1 2]", "{\"a\" 1}", "nonsense", "[1] 2", "\"a")) {
      assertThatThrownBy(() -> Json.read(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
