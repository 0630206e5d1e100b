package io.tidemark.api.rpc;

import io.tidemark.api.ErrorCode;

/**
 * Mooncake's {@code expected<T, ErrorCode>}.
 *
 * @param code 0 for success
 * @param value meaningful only on success; null for {@code expected<void>}
 */
public record Result<T>(int code, T value) {

  private static final Result<Void> OK_VOID = new Result<>(0, null);

  public static Result<Void> ok() {
    return OK_VOID;
  }

  public static <T> Result<T> ok(T value) {
    return new Result<>(0, value);
  }

  public static <T> Result<T> error(ErrorCode code) {
    return new Result<>(code.value(), null);
  }

  public boolean isOk() {
    return code == 0;
  }
}
