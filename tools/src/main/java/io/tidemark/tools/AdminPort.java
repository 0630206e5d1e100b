package io.tidemark.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The admin port of a running master, and the options that lead there. */
final class AdminPort {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
  private static final int UNAUTHORIZED = 401;

  private final ObjectMapper json = new ObjectMapper();

  @Option(
      names = {"--address", "--admin"},
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9003",
      description = "The master's admin port. Default: ${DEFAULT-VALUE}.")
  private String address;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "What the master has as --admin_token.")
  private String token;

  /** The same options for another address. */
  AdminPort at(String other) {
    AdminPort port = new AdminPort();
    port.address = other;
    port.token = token;
    return port;
  }

  /** Nobody answers there as a master does; the message says why. */
  static final class UnreachableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreachableException(String message) {
      super(message);
    }
  }

  /**
   * Asks for a page and gives its JSON, whatever the status.
   *
   * @param post whether it changes something
   * @throws UnreachableException if no master answers
   */
  JsonNode ask(CommandSpec spec, String path, boolean post)
      throws UnreachableException, InterruptedException {
    HttpRequest request = request(spec, path, post);
    try {
      HttpResponse<String> response =
          HttpClient.newBuilder()
              .connectTimeout(CONNECT_LIMIT)
              .build()
              .send(request, BodyHandlers.ofString());
      if (response.statusCode() == UNAUTHORIZED) {
        throw unreachable("the master wants a token: --token, as its --admin_token says");
      }
      JsonNode answer = json.readTree(response.body());
      if (!answer.isObject()) {
        throw unreachable("what answers is no Tidemark master (" + response.statusCode() + ")");
      }
      return answer;
    } catch (JsonProcessingException other) {
      throw unreachable("what answers is no Tidemark master");
    } catch (IOException silent) {
      String said = silent.getMessage();
      throw unreachable(
          "nothing answers as a master does ("
              + (said == null ? silent.getClass().getSimpleName() : said)
              + ")");
    }
  }

  private HttpRequest request(CommandSpec spec, String path, boolean post) {
    try {
      HttpRequest.Builder builder =
          HttpRequest.newBuilder(URI.create("http://" + address + path)).timeout(ANSWER_LIMIT);
      if (post) {
        builder.POST(BodyPublishers.noBody());
      }
      if (token != null) {
        builder.header("Authorization", "Bearer " + token);
      }
      return builder.build();
    } catch (IllegalArgumentException bad) {
      throw new ParameterException(
          spec.commandLine(), "--address must be HOST:PORT, got '" + address + "'");
    }
  }

  private UnreachableException unreachable(String why) {
    return new UnreachableException(
        address
            + ": "
            + why
            + "; name the admin port of a running master with --address (its --metrics_port)");
  }
}
