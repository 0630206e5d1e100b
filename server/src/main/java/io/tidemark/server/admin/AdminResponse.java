package io.tidemark.server.admin;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.WireText;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * An answer of the admin port.
 *
 * @param contentType empty for no such header
 */
record AdminResponse(int status, Optional<String> contentType, byte[] body) {

  private static final Optional<String> JSON = Optional.of("application/json; charset=utf-8");
  private static final Optional<String> TEXT = Optional.of("text/plain; version=0.0.4");
  private static final Optional<String> PLAIN = Optional.of("text/plain; charset=utf-8");

  /** What an unknown path or a wrong method gets. */
  static final AdminResponse NOT_FOUND =
      new AdminResponse(404, Optional.empty(), "404 Not Found".getBytes(StandardCharsets.US_ASCII));

  /** JSON with a status. */
  static AdminResponse json(int status, String json) {
    return new AdminResponse(status, JSON, json.getBytes(StandardCharsets.UTF_8));
  }

  /** Text of the kind that metrics and listings have; a wire string. */
  static AdminResponse text(int status, String wire) {
    return new AdminResponse(status, TEXT, WireText.bytes(wire));
  }

  /** The metrics type around readable text. */
  static AdminResponse metricsText(String text) {
    return new AdminResponse(200, TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** One plain word. */
  static AdminResponse word(int status, String word) {
    return new AdminResponse(status, PLAIN, word.getBytes(StandardCharsets.UTF_8));
  }

  /** Mooncake's error envelope; the name of the code is the message. */
  static AdminResponse error(int code) {
    return error(statusOf(code), code, ErrorCode.nameOf(code));
  }

  /** Mooncake's error envelope around a message of its own. */
  static AdminResponse error(int status, int code, String message) {
    return json(
        status,
        "{\"success\":false,\"error_code\":"
            + code
            + ",\"error_message\":"
            + Json.quoted(message)
            + "}");
  }

  /** A request that makes no sense. */
  static AdminResponse badRequest(String message) {
    return error(400, ErrorCode.INVALID_PARAMS.value(), message);
  }

  private static int statusOf(int code) {
    if (code == ErrorCode.INVALID_PARAMS.value()) {
      return 400;
    }
    if (code == ErrorCode.JOB_NOT_FOUND.value()
        || code == ErrorCode.SEGMENT_NOT_FOUND.value()
        || code == ErrorCode.OBJECT_NOT_FOUND.value()
        || code == ErrorCode.TENANT_NOT_REGISTERED.value()) {
      return 404;
    }
    boolean conflict =
        code == ErrorCode.UNAVAILABLE_IN_CURRENT_MODE.value()
            || code == ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value()
            || code == ErrorCode.TENANT_NOT_EMPTY.value();
    return conflict ? 409 : 500;
  }
}
