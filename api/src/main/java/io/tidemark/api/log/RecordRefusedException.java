package io.tidemark.api.log;

/** A shipped record was not taken; the log is as it was. */
public class RecordRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why a record is not taken. */
  public enum Why {
    /** Its checksum does not fit, or it is no record. */
    DAMAGED,
    /** It is of a layout this version does not know. */
    UNKNOWN_FORMAT,
    /** Its index is not the next one. */
    NOT_NEXT,
    /** Its predecessor's chain hash is not this log's end (COR-19). */
    OTHER_HISTORY,
    /** Its epoch is below the one of the log's end. */
    STALE_EPOCH
  }

  private final Why why;

  public RecordRefusedException(Why why, String message) {
    super(message);
    this.why = why;
  }

  public Why why() {
    return why;
  }
}
