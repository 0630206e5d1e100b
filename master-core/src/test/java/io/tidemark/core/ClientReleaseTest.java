package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The release of a client is in the log, so that a reader is answered in its form after a restart.
 */
class ClientReleaseTest {

  @Test
  @DisplayName("the release of a known client is logged once and survives a restart")
  void survivesRestart() {
    MasterFixture m = MasterFixture.base();
    m.master().releaseLearned(C1, "v0.3.12.post1");
    int entries = m.entries().size();
    m.master().releaseLearned(C1, "v0.3.12.post1");
    assertThat(m.entries()).as("no second entry").hasSize(entries);
    m.crashAndRestart();
    assertThat(m.view().clientReleases()).containsEntry(C1, "v0.3.12.post1").hasSize(1);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("a client that the log does not know is not remembered")
  void unknownClient() {
    MasterFixture m = MasterFixture.base();
    int entries = m.entries().size();
    m.master().releaseLearned(C2, "v0.3.14");
    assertThat(m.entries()).hasSize(entries);
    assertThat(m.view().clientReleases()).isEmpty();
  }
}
