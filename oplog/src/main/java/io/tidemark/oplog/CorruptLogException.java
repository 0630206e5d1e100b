package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;

/** The log is damaged in a way that a start must not repair by itself; nothing was changed. */
public class CorruptLogException extends LogFailureException {
  private static final long serialVersionUID = 1L;

  private final transient LogDamage damage;

  public CorruptLogException(LogDamage damage, String whatToDo) {
    super("the log is damaged: " + damage + ". " + whatToDo);
    this.damage = damage;
  }

  /** File, offset and entry. */
  public LogDamage damage() {
    return damage;
  }
}
