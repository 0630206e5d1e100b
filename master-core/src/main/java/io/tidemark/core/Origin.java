package io.tidemark.core;

/**
 * Where a call came from.
 *
 * @param connectionId number of the client connection, unique in the life of the process and above
 *     0; 0 for the admin port and the master itself
 */
public record Origin(long connectionId) {
  /** The admin port. */
  public static final Origin ADMIN = new Origin(0);
}
