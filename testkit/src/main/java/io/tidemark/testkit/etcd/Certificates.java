package io.tidemark.testkit.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A certificate authority of one test, made with openssl; its files are PEM. */
public final class Certificates {
  private final Path folder;
  private final Path ca;
  private final Path caKey;

  /**
   * A certificate and its key.
   *
   * @param key without password
   */
  public record Pair(Path certificate, Path key) {}

  /** Makes an authority whose files begin with {@code name}. */
  public Certificates(Path folder, String name) {
    this.folder = folder;
    ca = folder.resolve(name + ".pem");
    caKey = folder.resolve(name + ".key");
    openssl(
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=" + name,
        "-keyout",
        caKey.toString(),
        "-out",
        ca.toString());
  }

  /** What those have to trust who trust it. */
  public Path ca() {
    return ca;
  }

  /** A certificate for 127.0.0.1, good for servers and clients. */
  public Pair pair(String name) {
    Path key = folder.resolve(name + ".key");
    Path request = folder.resolve(name + ".csr");
    Path certificate = folder.resolve(name + ".pem");
    Path extensions = folder.resolve(name + ".ext");
    try {
      Files.writeString(
          extensions, "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    openssl(
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=" + name,
        "-keyout",
        key.toString(),
        "-out",
        request.toString());
    openssl(
        "x509",
        "-req",
        "-days",
        "2",
        "-CAcreateserial",
        "-in",
        request.toString(),
        "-CA",
        ca.toString(),
        "-CAkey",
        caKey.toString(),
        "-extfile",
        extensions.toString(),
        "-out",
        certificate.toString());
    return new Pair(certificate, key);
  }

  /** What an etcd needs that shows such a certificate and asks for one. */
  public EtcdProcess.Tls server(String name) {
    Pair pair = pair(name);
    return new EtcdProcess.Tls(ca, pair.certificate(), pair.key());
  }

  private static void openssl(String... arguments) {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    try {
      Process ran = new ProcessBuilder(command).redirectErrorStream(true).start();
      ran.getOutputStream().close();
      String output = new String(ran.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (ran.waitFor() != 0) {
        throw new AssertionError(String.join(" ", command) + " failed: " + output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
