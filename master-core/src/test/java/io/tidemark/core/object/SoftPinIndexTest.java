package io.tidemark.core.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios OBJ-121 to OBJ-123: the index of soft-pin deadlines. */
class SoftPinIndexTest {
  private final SoftPinIndex index = new SoftPinIndex();

  private static ScopedKey key(String name) {
    return ScopedKey.of("default", name);
  }

  @Test
  @DisplayName(
      "OBJ-121 keys are due at their deadline, earliest first, and stay until they are cleared")
  void due() {
    index.set(key("b"), 2000);
    index.set(key("a"), 1000);
    assertThat(index.nextDeadlineMs()).isEqualTo(1000);
    assertThat(index.due(999, 10)).isEmpty();
    assertThat(index.due(1000, 10)).containsExactly(key("a"));
    assertThat(index.due(2000, 10)).containsExactly(key("a"), key("b"));
    assertThat(index.due(2000, 1)).containsExactly(key("a"));
    index.set(key("a"), 0);
    assertThat(index.due(2000, 10)).containsExactly(key("b"));
    assertThat(index.size()).isEqualTo(1);
  }

  @Test
  @DisplayName("OBJ-122 a moved deadline counts, the old one does not")
  void moved() {
    index.set(key("a"), 1000);
    index.set(key("a"), 3000);
    assertThat(index.due(2999, 10)).isEmpty();
    assertThat(index.due(3000, 10)).containsExactly(key("a"));
    index.set(key("a"), 500);
    assertThat(index.due(500, 10)).containsExactly(key("a"));
    assertThat(index.size()).isEqualTo(1);
  }

  @Test
  @DisplayName("OBJ-123 5000 registrations of one key leave one, in a heap of at most 4096")
  void compaction() {
    for (int i = 1; i <= 5000; i++) {
      index.set(key("a"), i);
    }
    assertThat(index.size()).isEqualTo(1);
    assertThat(index.heapSize()).isLessThanOrEqualTo(4096);
    assertThat(index.due(4999, 10)).isEmpty();
    assertThat(index.due(5000, 10)).containsExactly(key("a"));
  }

  @ParameterizedTest(name = "random use agrees with a map (seed {0})")
  @ValueSource(longs = {1, 2, 20261130})
  void randomUse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<ScopedKey, Long> model = new HashMap<>();
    long nowMs = 0;
    for (int step = 0; step < 20_000; step++) {
      ScopedKey key = key("k" + random.nextInt(200));
      long deadline = random.nextInt(5) == 0 ? 0 : nowMs + random.nextInt(1, 1000);
      index.set(key, deadline);
      if (deadline == 0) {
        model.remove(key);
      } else {
        model.put(key, deadline);
      }
      nowMs += random.nextInt(3);
      List<ScopedKey> due = new ArrayList<>(index.due(nowMs, 1000));
      long now = nowMs;
      assertThat(due)
          .as("seed %d step %d", seed, step)
          .doesNotHaveDuplicates()
          .containsExactlyInAnyOrderElementsOf(
              model.entrySet().stream()
                  .filter(e -> e.getValue() <= now)
                  .map(Map.Entry::getKey)
                  .toList());
      due.forEach(
          expired -> {
            index.set(expired, 0);
            model.remove(expired);
          });
      assertThat(index.size()).isEqualTo(model.size());
    }
  }
}
