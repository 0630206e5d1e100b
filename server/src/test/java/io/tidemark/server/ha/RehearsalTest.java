package io.tidemark.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leadership for show serves some calls and leaves nothing behind. */
class RehearsalTest {

  @Test
  void aMasterIsPromotedServesAndIsGone(@TempDir Path place) {
    assertThat(Rehearsal.run(place)).isGreaterThan(8);
    assertThat(place).isEmptyDirectory();
  }
}
