package io.tidemark.server;

/** How the process ends; {@code docs/reference/exit-codes.md} explains each to operators. */
public enum ExitCode {
  /** Stopped as asked. */
  OK(0),
  /** The settings can't be used. */
  BAD_SETTINGS(1),
  /** A port can't be opened. */
  PORT_UNAVAILABLE(2),
  /** Another process has the data directory. */
  DIRECTORY_LOCKED(3),
  /** The data directory can't be read or written. */
  DIRECTORY_UNUSABLE(4),
  /** The data directory is of a newer format, or no log. */
  UNKNOWN_FORMAT(5),
  /** The log is damaged in a way that must not be repaired without an operator. */
  LOG_DAMAGED(6),
  /** The log failed while running; what was acknowledged is in it. */
  LOG_FAILED(7),
  /** Neither a snapshot nor the log gives the state that there was. */
  NOTHING_TO_RESTORE(8),
  /** etcd refuses this member: login, rights or certificate. */
  ETCD_DENIED(9),
  /** A defect of this program. */
  INTERNAL(70);

  private final int status;

  ExitCode(int status) {
    this.status = status;
  }

  /** The status of the process. */
  public int status() {
    return status;
  }
}
