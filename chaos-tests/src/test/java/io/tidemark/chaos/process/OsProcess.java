package io.tidemark.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A process that a test started. It ends with the test; what it prints goes to files in the test's
 * {@link Evidence}. It is addressed by its process id only.
 */
public final class OsProcess implements AutoCloseable {
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
  private static final int TAIL = 2_000;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final String name;
  private final Process process;
  private final Path errors;

  private OsProcess(String name, Process process, Path errors) {
    this.name = name;
    this.process = process;
    this.errors = errors;
    RUNNING.add(process);
  }

  /** Starts a command; standard output goes to NAME.out, standard error to NAME.err. */
  public static OsProcess start(
      Evidence evidence, String name, List<String> command, Map<String, String> environment) {
    Path output = evidence.folder().resolve(name + ".out");
    return start(evidence, name, command, environment, Redirect.to(output.toFile()));
  }

  /** Starts a command that the test talks to: standard output is a pipe. */
  public static OsProcess startPiped(
      Evidence evidence, String name, List<String> command, Map<String, String> environment) {
    return start(evidence, name, command, environment, Redirect.PIPE);
  }

  private static OsProcess start(
      Evidence evidence,
      String name,
      List<String> command,
      Map<String, String> environment,
      Redirect output) {
    Path errors = evidence.folder().resolve(name + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(evidence.folder().toFile())
            .redirectOutput(output)
            .redirectError(errors.toFile());
    builder.environment().putAll(environment);
    try {
      return evidence.own(new OsProcess(name, builder.start(), errors));
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + name + ": " + command, e);
    }
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The Java view of it, for its pipes. */
  public Process process() {
    return process;
  }

  /** Sends SIGKILL and waits for the end. */
  public void kill() {
    process.destroyForcibly();
    awaitExit(KILL_LIMIT);
  }

  /** Sends SIGTERM and gives the exit code; fails if the process does not end in time. */
  public int terminate(Duration limit) {
    process.destroy();
    return awaitExit(limit);
  }

  /** Waits for the end and gives the exit code; fails if the process does not end in time. */
  public int awaitExit(Duration limit) {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            name + " did not end within " + limit.toMillis() + " ms; " + lastWords());
      }
      RUNNING.remove(process);
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for the end of " + name, e);
    }
  }

  /** Fails, with what the process last said, unless it still runs. */
  public void requireAlive() {
    if (!process.isAlive()) {
      throw new AssertionError(name + " ended with " + process.exitValue() + "; " + lastWords());
    }
  }

  /** Everything on standard output so far; only of a process that was started with its own. */
  public String said() throws IOException {
    Path output = errors.resolveSibling(name + ".out");
    return Files.readString(output, StandardCharsets.ISO_8859_1);
  }

  /** The end of standard error, for messages. */
  public String lastWords() {
    try {
      String text = Files.readString(errors, StandardCharsets.ISO_8859_1);
      return "standard error ends with: " + text.substring(Math.max(0, text.length() - TAIL));
    } catch (IOException e) {
      return "standard error can't be read: " + e;
    }
  }

  @Override
  public void close() {
    kill();
  }
}
