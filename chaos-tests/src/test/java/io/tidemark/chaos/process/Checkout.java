package io.tidemark.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Where the programs under test and their helpers lie. */
public final class Checkout {
  private Checkout() {}

  /**
   * The checkout's root: the system property {@code tidemark.root}, else the folder above this
   * module.
   */
  public static Path root() {
    return Path.of(System.getProperty("tidemark.root", "..")).toAbsolutePath().normalize();
  }

  /** This module's folder for what a build leaves. */
  public static Path target() {
    return root().resolve("chaos-tests/target");
  }

  /** The launcher: the system property {@code tidemark.launcher}, else the checkout's. */
  public static Path launcher() {
    String named = System.getProperty("tidemark.launcher");
    return named == null ? root().resolve("tidemark") : Path.of(named);
  }

  /** The script that becomes a command in a Mooncake release's environment. */
  public static Path wheelEnv() {
    return root().resolve("scripts/wheel-env");
  }

  /** A file from this module's test resources. */
  public static Path resource(String name) {
    URL url = Checkout.class.getResource(name);
    if (url == null) {
      throw new IllegalStateException("no test resource " + name);
    }
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Fails, and says what to do, unless the environment of a release is complete. */
  public static void requireWheel(Release release) {
    try {
      Process asked =
          new ProcessBuilder(
                  root().resolve("scripts/wheel-env").toString(), release.version(), "true")
              .redirectErrorStream(true)
              .start();
      String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (asked.waitFor() != 0) {
        throw new AssertionError(said.strip());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
