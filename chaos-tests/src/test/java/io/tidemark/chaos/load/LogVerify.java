package io.tidemark.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.chaos.process.Checkout;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs {@code tidemark log verify} on a data directory. */
public final class LogVerify {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private LogVerify() {}

  /** What it found; fails unless it says that the log is sound and ends with 0. */
  public static JsonNode sound(Evidence evidence, String name, Path dataDir) throws IOException {
    OsProcess process =
        OsProcess.start(
            evidence,
            name,
            List.of(
                Checkout.launcher().toString(), "log", "verify", "--json", "--data_dir=" + dataDir),
            Map.of());
    int exitCode = process.awaitExit(LIMIT);
    String output = Files.readString(evidence.folder().resolve(name + ".out"));
    if (exitCode != 0) {
      throw new AssertionError(
          "log verify ended with " + exitCode + ": " + output + "; " + process.lastWords());
    }
    return new ObjectMapper().readTree(output);
  }
}
