package io.tidemark.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.EventType;
import io.tidemark.api.event.Reason;
import io.tidemark.api.log.Cause;
import io.tidemark.api.rpc.SoftPinAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The pages about the log name every number that the code writes. */
class ReferencePagesTest {
  private static final Path REFERENCE =
      Path.of(System.getProperty("tidemark.root", ".."), "docs", "reference");

  @Test
  void theFormatPageHasEveryEventReasonStateAndCause() throws IOException {
    String page = Files.readString(REFERENCE.resolve("log-format.md"));
    for (EventType type : EventType.values()) {
      assertThat(page).contains("| " + type.code() + " | " + type.name() + " |");
      assertThat(type.version()).as("version of %s on the page", type).isEqualTo(1);
    }
    for (Reason reason : Reason.values()) {
      assertThat(page).containsPattern("\\b" + reason.code() + " " + reason.name() + "[,.]");
    }
    for (ClientState state : ClientState.values()) {
      assertThat(page).contains(state.code() + " " + state.name());
    }
    for (int code = 0; SoftPinAction.of(code).isPresent(); code++) {
      assertThat(page).contains(code + " " + SoftPinAction.of(code).get().name());
    }
    for (Cause.Trigger trigger : Cause.Trigger.values()) {
      assertThat(page).contains(Cause.of(trigger) + " " + trigger.name());
    }
  }

  @Test
  void theCommandPageHasEveryEndingWithItsReasons() throws IOException {
    String page = Files.readString(REFERENCE.resolve("log-command.md"));
    for (Reason reason : Reason.values()) {
      boolean drops = !"NONE SILENT RETURNED PIN_EXPIRED".contains(reason.name());
      if (drops) {
        assertThat(page)
            .containsPattern(
                "\\| `" + Ending.of(reason).word() + "` \\|[^|]*\\b" + reason.name() + "\\b");
      }
    }
  }
}
