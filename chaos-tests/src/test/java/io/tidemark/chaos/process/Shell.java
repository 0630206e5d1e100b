package io.tidemark.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs short system commands to their end. */
final class Shell {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Shell() {}

  /** What a command printed; fails if it does not end with 0 in time. */
  static String run(String... command) {
    Outcome outcome = tryRun(command);
    if (outcome.exitCode() != 0) {
      throw new IllegalStateException(
          String.join(" ", command)
              + " ended with "
              + outcome.exitCode()
              + ": "
              + outcome.output());
    }
    return outcome.output();
  }

  /** How a command ended; for what may fail. */
  static Outcome tryRun(String... command) {
    try {
      Path output = Files.createTempFile("tidemark-shell", ".out");
      try {
        Process process =
            new ProcessBuilder(List.of(command))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        return new Outcome(exitCode(process, command), read(output));
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", command), e);
    }
  }

  private static int exitCode(Process process, String[] command) {
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException(String.join(" ", command) + " did not end within " + LIMIT);
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: " + String.join(" ", command), e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  /** A command's exit code and everything it printed. */
  record Outcome(int exitCode, String output) {}
}
