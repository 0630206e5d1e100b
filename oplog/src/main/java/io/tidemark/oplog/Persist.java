package io.tidemark.oplog;

/** What a committed entry has survived. */
public enum Persist {
  /** The entry is in the mapped file: it survives the death of the process, not of the host. */
  PAGE,
  /** The entry was forced to the disk: it survives the loss of power. */
  DISK
}
