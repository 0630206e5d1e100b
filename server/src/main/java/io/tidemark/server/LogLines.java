package io.tidemark.server;

import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

/** The end of logging. */
final class LogLines {

  private LogLines() {}

  /** Writes out the lines that still wait; nothing is logged afterwards. */
  static void finish() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.stop();
    }
  }
}
