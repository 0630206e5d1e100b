package io.tidemark.server.admin;

import io.tidemark.api.WireText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One request of the admin port.
 *
 * @param operationId names the call in the log
 * @param rawQuery text after the question mark, not decoded; empty if there is none
 * @param authorization the Authorization header, empty if there is none
 */
record AdminRequest(
    long operationId,
    String method,
    String path,
    String rawQuery,
    byte[] body,
    String authorization,
    String peer) {

  /** A query parameter as it stands in the URL, empty if missing; a wire string. */
  Optional<String> rawParameter(String name) {
    for (String pair : rawQuery.split("&")) {
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      if (key.equals(name)) {
        return Optional.of(equals < 0 ? "" : pair.substring(equals + 1));
      }
    }
    return Optional.empty();
  }

  /**
   * A query parameter with percent signs and plus signs decoded, empty if missing; a wire string.
   */
  Optional<String> parameter(String name) {
    return rawParameter(name).map(AdminRequest::decode);
  }

  /** The body as text. */
  String bodyText() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /**
   * Decodes a URL part into a wire string; a percent sign that begins no pair of digits stays as it
   * is.
   */
  static String decode(String text) {
    byte[] in = WireText.bytes(text);
    ByteArrayOutputStream out = new ByteArrayOutputStream(in.length);
    for (int i = 0; i < in.length; i++) {
      int high = in[i] == '%' && i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
      int low = high >= 0 ? Character.digit(in[i + 2], 16) : -1;
      if (low >= 0) {
        out.write(high << 4 | low);
        i += 2;
      } else {
        out.write(in[i] == '+' ? ' ' : in[i]);
      }
    }
    return WireText.of(out.toByteArray());
  }
}
