package io.tidemark.chaos.wheel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.chaos.process.OsProcess;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requests to a client process and its answers, one JSON line each, all of them kept in a file. The
 * first answer, number 0, comes unasked.
 */
final class ClientChannel {
  static final int GREETING = 0;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_SHOWN = 400;

  private final String name;
  private final OsProcess process;
  private final BufferedWriter requests;
  private final BufferedWriter transcript;
  private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
  private int lastNumber = GREETING;

  ClientChannel(String name, OsProcess process, Path transcript) {
    this.name = name;
    this.process = process;
    this.requests = process.process().outputWriter(StandardCharsets.UTF_8);
    try {
      this.transcript = Files.newBufferedWriter(transcript);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.put(GREETING, new CompletableFuture<>());
    Thread reader = new Thread(this::readAnswers, name + "-answers");
    reader.setDaemon(true);
    reader.start();
  }

  /** The answer that comes unasked. */
  CompletableFuture<JsonNode> greeting() {
    return open.get(GREETING);
  }

  /** Sends a request; the future gets the answer's value, or fails with what the client threw. */
  synchronized CompletableFuture<JsonNode> send(String operation, Map<String, ?> arguments) {
    int number = ++lastNumber;
    ObjectNode request = JSON.createObjectNode().put("id", number).put("op", operation);
    arguments.forEach((key, value) -> request.set(key, JSON.valueToTree(value)));
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    open.put(number, answer);
    String line = request.toString();
    record("> " + line);
    try {
      requests.write(line);
      requests.newLine();
      requests.flush();
    } catch (IOException e) {
      answer.completeExceptionally(gone());
    }
    return answer;
  }

  private void readAnswers() {
    try (BufferedReader reader = process.process().inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        record("< " + line);
        complete(line);
      }
    } catch (IOException e) {
      record("! " + e);
    }
    open.values().forEach(answer -> answer.completeExceptionally(gone()));
  }

  private void complete(String line) throws IOException {
    JsonNode answer = JSON.readTree(line);
    CompletableFuture<JsonNode> future = open.get(answer.path("id").asInt());
    if (answer.has("error")) {
      future.completeExceptionally(
          new AssertionError(name + " threw " + answer.get("error").asText()));
    } else {
      future.complete(answer.get("value"));
    }
  }

  private AssertionError gone() {
    return new AssertionError(name + " is gone; " + process.lastWords());
  }

  private void record(String line) {
    synchronized (transcript) {
      try {
        transcript.write(
            line.length() > LONGEST_SHOWN ? line.substring(0, LONGEST_SHOWN) + "…" : line);
        transcript.newLine();
        transcript.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
