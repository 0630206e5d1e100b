package io.tidemark.election;

import io.tidemark.testkit.etcd.EtcdProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A certificate authority of one test, made with openssl. */
final class Certificates {
  private final Path folder;
  private final Path ca;
  private final Path caKey;

  Certificates(Path folder, String name) {
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

  Path ca() {
    return ca;
  }

  /** A certificate for 127.0.0.1, good for servers and clients. */
  EtcdSettings.KeyPair pair(String name) {
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
    return new EtcdSettings.KeyPair(certificate, key);
  }

  EtcdProcess.Tls server(String name) {
    EtcdSettings.KeyPair pair = pair(name);
    return new EtcdProcess.Tls(ca, pair.certificate(), pair.key());
  }

  EtcdSettings.Tls client(String name) {
    return new EtcdSettings.Tls(Optional.of(ca), Optional.of(pair(name)));
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
