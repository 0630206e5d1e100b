package io.tidemark.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  private static final List<String> KNOWN = List.of("side-by-side", "memory", "restart");
  private static final Path ROOT = Path.of("/checkout");

  private static Options of(String... arguments) {
    return Options.of(List.of(arguments), KNOWN, ROOT);
  }

  @Test
  void measuresAllAndWritesThePageByDefault() {
    Options options = of();

    assertThat(options.parts()).isEqualTo(KNOWN);
    assertThat(options.rounds()).isEmpty();
    assertThat(options.page()).contains(Path.of("/checkout/docs/performance.md"));
    assertThat(options.json()).contains(Path.of("/checkout/docs/performance.json"));
  }

  @Test
  void aQuickRunWritesOnlyWhatItIsToldTo() {
    assertThat(of("--quick").page()).isEmpty();
    assertThat(of("--quick").json()).isEmpty();
    assertThat(of("--json=/tmp/f.json", "--quick").json()).contains(Path.of("/tmp/f.json"));
  }

  @Test
  void partsKeepTheirOrder() {
    assertThat(of("--parts=restart,side-by-side").parts())
        .containsExactly("side-by-side", "restart");
  }

  @Test
  void readsTheRest() {
    Options options = of("--rounds=3", "--flags=--persist=disk  --max_threads=2", "--page=none");

    assertThat(options.rounds()).contains(3);
    assertThat(options.flags()).containsExactly("--persist=disk", "--max_threads=2");
    assertThat(options.page()).isEmpty();
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    for (String argument : List.of("--round=3", "--parts=memory,all", "--rounds=0", "--rounds=x")) {
      assertThatThrownBy(() -> of(argument))
          .as(argument)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
