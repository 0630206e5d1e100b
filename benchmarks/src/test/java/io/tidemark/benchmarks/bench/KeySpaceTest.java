package io.tidemark.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeySpaceTest {

  @Test
  void givesNoMoreThanItsCapacityAndNoNumberTwice() {
    KeySpace keys = new KeySpace(7, 24, 10);
    assertThat(keys.take(4)).isZero();
    keys.limit(6);
    assertThat(keys.take(4)).isEqualTo(-1);
    keys.unlimited();
    assertThat(keys.take(4)).isEqualTo(4);
    assertThat(keys.take(4)).isEqualTo(-1);
    keys.forget();
    assertThat(keys.take(10)).isEqualTo(8);
    keys.stored(17);
    assertThat(keys.size()).isEqualTo(1);
  }

  @Test
  void readsOnlyWhatIsThere() {
    KeySpace keys = new KeySpace(7, 24, 1_000);
    SplittableRandom random = new SplittableRandom(1);
    keys.take(1_000);
    keys.stored(3);
    for (int i = 0; i < 100; i++) {
      assertThat(keys.any(random)).isEqualTo(3);
    }
    keys.stored(900);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      seen.add(keys.any(random));
    }
    assertThat(seen).containsExactlyInAnyOrder(3L, 900L);
  }

  @Test
  void chunksHaveEveryKeyThatMayBeThereOnce() {
    KeySpace keys = new KeySpace(7, 24, 10);
    keys.take(5);
    long gone = keys.takeOwn();
    keys.takeOwn();
    keys.takeOwn();
    keys.ownGone(gone);
    List<String> all = new ArrayList<>();
    for (int from = 0; from < keys.mayBeThere(); from += 3) {
      all.addAll(keys.chunk(from, 3));
    }
    assertThat(all)
        .hasSize(7)
        .doesNotHaveDuplicates()
        .startsWith("tb00000007/0000000000000")
        .allMatch(key -> key.length() == 24)
        .doesNotContain(keys.text(gone));
  }
}
