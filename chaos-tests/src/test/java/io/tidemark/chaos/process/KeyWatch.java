package io.tidemark.chaos.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What an etcd key, or all keys that begin alike, hold and held from the beginning on. It is told
 * by etcdctl, which looks on over restarts of etcd; so it is as late as any client. Thread-safe.
 */
public final class KeyWatch {
  private static final int DELETED = 1;

  private final ObjectMapper json = new ObjectMapper();
  private final List<Sight> sights = new ArrayList<>();

  /**
   * A value from one moment on.
   *
   * @param value empty if the key is gone
   * @param revision etcd's revision of the change
   * @param nanos when it was told here
   */
  public record Sight(String key, Optional<String> value, long revision, long nanos) {}

  private KeyWatch() {
    sights.add(new Sight("", Optional.empty(), 0, System.nanoTime()));
  }

  /**
   * Looks on until the test ends.
   *
   * @param key with {@code --prefix} before it for all that begin so
   */
  public static KeyWatch begin(Evidence evidence, EtcdProcess etcd, String name, String... key) {
    List<String> arguments = new ArrayList<>(List.of("watch", "--rev=1", "--write-out=json"));
    arguments.addAll(List.of(key));
    OsProcess process =
        OsProcess.startPiped(
            evidence,
            name,
            etcd.ctlCommand(arguments.toArray(String[]::new)),
            Map.of("ETCDCTL_API", "3"));
    KeyWatch watch = new KeyWatch();
    Thread reader = new Thread(() -> watch.read(process), name);
    reader.setDaemon(true);
    reader.start();
    return watch;
  }

  private void read(OsProcess process) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.process().getInputStream(), StandardCharsets.UTF_8))) {
      String line;
      while ((line = lines.readLine()) != null) {
        for (JsonNode event : json.readTree(line).path("Events")) {
          told(event);
        }
      }
    } catch (IOException ended) {
      // The test is over.
    }
  }

  private synchronized void told(JsonNode event) {
    JsonNode pair = event.path("kv");
    Optional<String> value =
        event.path("type").asInt() == DELETED
            ? Optional.empty()
            : Optional.of(decoded(pair, "value"));
    long revision = pair.path("mod_revision").asLong();
    sights.add(new Sight(decoded(pair, "key"), value, revision, System.nanoTime()));
    notifyAll();
  }

  private static String decoded(JsonNode pair, String member) {
    byte[] bytes = Base64.getDecoder().decode(pair.path(member).asText());
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The last change. */
  public synchronized Sight now() {
    return sights.get(sights.size() - 1);
  }

  /** Every change there was, in order; before the first, one without key and value. */
  public synchronized List<Sight> all() {
    return List.copyOf(sights);
  }

  /** Waits until the last change is another one than {@code known}, or until the time is over. */
  public synchronized void awaitNews(Sight known, long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long left = millis;
    while (now() == known && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }
}
