package io.tidemark.chaos.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page for people and the list of the test name the same differences. */
class DifferencesPageTest {

  @Test
  void everyKnownDifferenceIsExplainedAndNothingElseIsCalledKnown() throws IOException {
    String page = Files.readString(Checkout.root().resolve("docs/reference/differences.md"));
    String seenByTest = page.substring(page.indexOf("\n## 1."), page.indexOf("\n## 2."));
    List<String> explained =
        seenByTest
            .lines()
            .filter(line -> line.startsWith("### "))
            .map(line -> line.substring(4))
            .toList();
    List<String> known = Arrays.stream(KnownDifference.values()).map(KnownDifference::id).toList();
    assertThat(explained).containsExactlyInAnyOrderElementsOf(known).doesNotHaveDuplicates();
  }
}
