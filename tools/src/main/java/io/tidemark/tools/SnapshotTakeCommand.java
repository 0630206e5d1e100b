package io.tidemark.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code snapshot take}: asks a running master for one and waits for it. */
@Command(
    name = "take",
    description = "Lets a running master take a snapshot now, and waits until it is verified.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it was taken, or nothing was logged since the newest one",
      "1:the master could not take one, or not within --wait; the output says why",
      "2:wrong option",
      "4:no master answers there, or it refuses the token"
    })
final class SnapshotTakeCommand implements Callable<Integer> {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final int ACCEPTED = 202;
  private static final int UNAUTHORIZED = 401;

  private final ObjectMapper json = new ObjectMapper();
  @Spec private CommandSpec spec;

  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9003",
      description = "The master's admin port. Default: ${DEFAULT-VALUE}.")
  private String admin;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "What the master has as --admin_token.")
  private String token;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "600",
      description = "How long to wait. Default: ${DEFAULT-VALUE}.")
  private int waitSeconds;

  @Option(names = "--json", description = "One JSON object, for programs.")
  private boolean asJson;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  @Override
  public Integer call() throws InterruptedException {
    HttpRequest request = request();
    HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT_LIMIT).build();
    long end = System.nanoTime() + Duration.ofSeconds(waitSeconds).toNanos();
    try {
      while (true) {
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() != ACCEPTED || System.nanoTime() - end >= 0) {
          return answered(response);
        }
      }
    } catch (IOException silent) {
      return unreachable("nothing answers as a master does (" + said(silent) + ")");
    }
  }

  private HttpRequest request() {
    try {
      HttpRequest.Builder builder =
          HttpRequest.newBuilder(URI.create("http://" + admin + "/api/v1/snapshot"))
              .timeout(Duration.ofSeconds(Math.max(1, waitSeconds) + 10L))
              .POST(BodyPublishers.noBody());
      if (token != null) {
        builder.header("Authorization", "Bearer " + token);
      }
      return builder.build();
    } catch (IllegalArgumentException bad) {
      throw new ParameterException(
          spec.commandLine(), "--admin must be HOST:PORT, got '" + admin + "'");
    }
  }

  private int answered(HttpResponse<String> response) {
    if (response.statusCode() == UNAUTHORIZED) {
      return unreachable("the master wants a token: --token, as its --admin_token says");
    }
    JsonNode answer;
    try {
      answer = json.readTree(response.body());
    } catch (JsonProcessingException other) {
      answer = json.nullNode();
    }
    if (!answer.path("success").isBoolean()) {
      return unreachable(
          "what answers is no Tidemark master that takes snapshots (status "
              + response.statusCode()
              + ")");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (asJson) {
      out.println(answer);
    } else if (answer.path("success").asBoolean() && !answer.path("pending").asBoolean()) {
      out.println(
          String.format(
              "%s: entry %d, epoch %d, %s, %d bytes, %d ms%s",
              answer.path("folder").asText(),
              answer.path("index").asLong(),
              answer.path("epoch").asLong(),
              EventText.plural(answer.path("objects").asLong(), "object"),
              answer.path("bytes").asLong(),
              answer.path("ms").asLong(),
              answer.path("already_there").asBoolean()
                  ? " (it was there: nothing was logged since)"
                  : ""));
    }
    out.flush();
    return status(answer);
  }

  private int status(JsonNode answer) {
    if (!answer.path("success").asBoolean()) {
      say(answer.path("error_message").asText("the master gave no reason"));
      return ExitStatus.DAMAGED;
    }
    if (answer.path("pending").asBoolean()) {
      say("it is still being taken after " + waitSeconds + " s; tidemark snapshot list shows it");
      return ExitStatus.DAMAGED;
    }
    return ExitStatus.OK;
  }

  private int unreachable(String why) {
    say(
        admin
            + ": "
            + why
            + "; name the admin port of a running master with --admin (its --metrics_port)");
    return ExitStatus.NO_MASTER;
  }

  private void say(String sentence) {
    spec.commandLine().getErr().println("tidemark: " + sentence);
    spec.commandLine().getErr().flush();
  }

  private static String said(IOException failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
