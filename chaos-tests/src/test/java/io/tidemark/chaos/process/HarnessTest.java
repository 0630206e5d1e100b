package io.tidemark.chaos.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The harness itself: what it starts ends, what it makes goes, what it waits for ends in time. */
@RealProcesses
class HarnessTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(10);
  // Process ids end below this number, so nobody has it.
  private static final String LEFT_BEHIND = "tidemark-4194304-1-hub";

  @Test
  void waitingEndsWithTheFirstGoodAnswerOrSaysWhatItSawLast() {
    AtomicInteger asked = new AtomicInteger();
    assertThat(Await.until("the third", LONG, asked::incrementAndGet, n -> n == 3)).isEqualTo(3);
    assertThatThrownBy(() -> Await.until("the impossible", SHORT, () -> "no", "yes"::equals))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the impossible")
        .hasMessageContaining("no");
  }

  @Test
  void aKilledProcessIsGoneAndItsLastWordsAreKept(Evidence evidence) {
    OsProcess process =
        OsProcess.start(
            evidence, "shell", List.of("sh", "-c", "echo here >&2; exec sleep 60"), Map.of());
    Await.until("its words", LONG, process::lastWords, words -> words.contains("here"));
    process.requireAlive();
    process.kill();
    assertThat(process.isAlive()).isFalse();
    assertThat(Files.exists(Path.of("/proc", Long.toString(process.pid())))).isFalse();
    assertThatThrownBy(process::requireAlive).hasMessageContaining("here");
  }

  @Test
  void anEvidenceFolderEndsWithWhatItOwnsLatestFirst(Evidence own) throws Exception {
    Evidence evidence = new Evidence(own.folder("inner"));
    StringBuilder order = new StringBuilder();
    evidence.own(() -> order.append("first "));
    evidence.own(() -> order.append("second "));
    evidence.close();
    assertThat(order).hasToString("second first ");
    Files.writeString(evidence.folder("data").resolve("file"), "text");
    evidence.discard();
    assertThat(evidence.folder()).doesNotExist();
  }

  @Test
  void aNetworkGoesWithItsTestAndTakesAlongWhatADeadTestLeft(Evidence own) throws Exception {
    Shell.run("ip", "netns", "add", LEFT_BEHIND);
    Evidence evidence = new Evidence(own.folder("inner"));
    Network network = Network.open(evidence);
    assertThat(namespaces()).doesNotContain(LEFT_BEHIND);
    Host host = network.addHost();
    assertThat(namespaces()).contains(network.hub().namespace(), host.namespace());
    assertThat(Shell.run("ip", "-n", host.namespace(), "route")).doesNotContain("default");
    OsProcess inside =
        OsProcess.start(own, "inside", host.command(List.of("sleep", "60")), Map.of());
    evidence.close();
    assertThat(namespaces()).doesNotContain(network.hub().namespace(), host.namespace());
    inside.awaitExit(LONG);
  }

  private static String namespaces() {
    return Shell.run("ip", "netns", "list");
  }
}
