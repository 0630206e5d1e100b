package io.tidemark.server.config;

/**
 * The settings can't be used. The message is one sentence for the operator: which setting, what is
 * wrong, what is legal.
 */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConfigException(String message) {
    super(message);
  }
}
