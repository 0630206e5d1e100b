package io.tidemark.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final Report REPORT =
      new Report(
          "restart",
          "Restart",
          List.of("5 rounds.", "2 CPUs."),
          List.of(
              Target.atMost("restart to serving", "kill -9", 3, "s", new Spread(4.5, 4, 6)),
              Target.atLeast("get", "0.3.14", 2, new Spread(2.5, 1.9, 2.6))),
          List.of(
              new Report.Table(
                  "Seconds", List.of("start on", "seconds"), List.of(List.of("a log", "4.50")))),
          List.of(Json.object("seconds", 4.5)));

  @Test
  void showsTargetsFirstThenEachPart() {
    assertThat(Page.markdown(List.of(REPORT)))
        .isEqualTo(
            """
            | figure | against | target | median | lowest–highest | target is |
            |---|---|---|---|---|---|
            | restart to serving | kill -9 | ≤ 3.00 s | 4.50 s | 4.00–6.00 | **missed by 50 %** |
            | get | 0.3.14 | ≥ 2.00 | 2.50 | 1.90–2.60 | met |

            ### Restart

            Seconds:

            | start on | seconds |
            |---|---|
            | a log | 4.50 |

            - 5 rounds.
            - 2 CPUs.
            """);
  }

  @Test
  @SuppressWarnings("unchecked")
  void aStoredPartLooksAsWhenItWasMeasured() {
    Map<String, Object> read = (Map<String, Object>) Json.read(Json.write(REPORT.toJson()));

    Report stored = Report.fromJson("restart", read);

    assertThat(Page.markdown(List.of(stored))).isEqualTo(Page.markdown(List.of(REPORT)));
  }

  @Test
  void replacesWhatIsBetweenTheMarkersAndNothingElse() {
    String page = "# Performance\n\n" + Page.BEGIN + "\nold\n" + Page.END + "\n\n## Tail\n";

    String once = Page.replace(page, "new\n");

    assertThat(once)
        .isEqualTo("# Performance\n\n" + Page.BEGIN + "\n\nnew\n\n" + Page.END + "\n\n## Tail\n");
    assertThat(Page.replace(once, "new\n")).isEqualTo(once);
  }

  @Test
  void aPageWithoutItsMarkersIsRefused() {
    List<String> pages =
        List.of(
            "",
            Page.BEGIN,
            Page.END + Page.BEGIN,
            Page.BEGIN + Page.BEGIN + Page.END,
            Page.BEGIN + Page.END + Page.END);
    for (String page : pages) {
      assertThatThrownBy(() -> Page.replace(page, "new"))
          .as(page)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
