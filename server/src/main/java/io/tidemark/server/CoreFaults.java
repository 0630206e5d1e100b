package io.tidemark.server;

import io.tidemark.core.FaultHandler;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults of the state machine: each is logged with its cause, and the end of a term ends the
 * process, which starts over from the log (crash-only). Called under the core role; hands over and
 * returns.
 */
final class CoreFaults implements FaultHandler {
  private static final Logger LOG = LoggerFactory.getLogger(CoreFaults.class);

  private final BiConsumer<ExitCode, String> fatal;

  /**
   * Makes the handler.
   *
   * @param fatal ends the process; must not block
   */
  CoreFaults(BiConsumer<ExitCode, String> fatal) {
    this.fatal = fatal;
  }

  @Override
  public void commandFailed(String command, RuntimeException broken) {
    LOG.error(
        "event=command_failed command={} effect=\"refused, nothing changed\"", command, broken);
  }

  @Override
  public void termEnded(String why, Throwable cause) {
    LOG.error("event=term_ended why=\"{}\"", why, cause);
    fatal.accept(ExitCode.LOG_FAILED, why);
  }
}
