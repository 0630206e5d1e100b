package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One writer per directory. */
class DirectoryLockTest {
  @TempDir private Path root;

  /** Holds the lock of the directory named first until its input ends. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws IOException {
      LogDirectory directory = new LogDirectory(Path.of(args[0]));
      try (DirectoryLock lock = DirectoryLock.take(directory.root(), directory.lock())) {
        System.out.println(lock == null ? "none" : "held");
        while (System.in.read() >= 0) {
          // waits for the end of the input
        }
      }
    }
  }

  @Test
  void aSecondLogInThisProcessIsRefusedAndTheFirstStaysLocked() throws Exception {
    ChronicleLog first = ChronicleLog.open(Logs.options(root)).log();
    assertThatThrownBy(() -> ChronicleLog.open(Logs.options(root)))
        .isInstanceOf(DirectoryLockedException.class)
        .hasMessageContaining("pid " + ProcessHandle.current().pid());
    assertThat(exitOfHolder()).isNotZero();
    first.close();
    ChronicleLog.open(Logs.options(root)).log().close();
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void anotherProcessIsNamed() throws Exception {
    new LogDirectory(root).create();
    Process holder = holder();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).isEqualTo("held");
      assertThatThrownBy(() -> ChronicleLog.open(Logs.options(root)))
          .isInstanceOf(DirectoryLockedException.class)
          .hasMessageContaining("pid " + holder.pid() + ", started ");
      holder.destroyForcibly().waitFor();
    }
    ChronicleLog.open(Logs.options(root)).log().close();
  }

  /** What the lock file says is for people; only the system's lock counts. */
  @Test
  void aStaleLockFileStopsNobody() throws IOException {
    LogDirectory directory = new LogDirectory(root);
    directory.create();
    Files.writeString(directory.lock(), "pid 1, started 2020-01-01T00:00:00Z\n");
    ChronicleLog.open(Logs.options(root)).log().close();
    assertThat(Files.readString(directory.lock()))
        .startsWith("pid " + ProcessHandle.current().pid());
  }

  @Test
  void aFailedOpenReleasesTheLock() throws IOException {
    ChronicleLog.open(Logs.options(root)).log().close();
    Path format = new LogDirectory(root).format();
    String content = Files.readString(format);
    Files.writeString(format, "tidemark-log 99\n");
    assertThatThrownBy(() -> ChronicleLog.open(Logs.options(root)))
        .isInstanceOf(LogFormatException.class);
    Files.writeString(format, content);
    ChronicleLog.open(Logs.options(root)).log().close();
  }

  private int exitOfHolder() throws Exception {
    Process holder = holder();
    holder.getOutputStream().close();
    assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return holder.exitValue();
  }

  private Process holder() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            root.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
