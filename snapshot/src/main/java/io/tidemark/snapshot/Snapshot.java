package io.tidemark.snapshot;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A snapshot as its folder shows it, without its chunks having been read.
 *
 * @param manifest present unless the state is {@link State#UNREADABLE}
 * @param reason why it can't be used, empty if nothing speaks against it
 */
public record Snapshot(Path folder, State state, Optional<Manifest> manifest, String reason) {

  /** Name of the file that makes a folder a snapshot. */
  public static final String MANIFEST = "MANIFEST";

  /** Name of the mark of a snapshot that was read back. */
  static final String VERIFIED_MARK = "VERIFIED";

  /** Name of the mark of a snapshot that was found damaged. */
  static final String DAMAGED_MARK = "DAMAGED";

  /** How far a snapshot can be trusted before it is read. */
  public enum State {
    /** Complete; nobody has read it back yet. */
    PUBLISHED,
    /** Read back without a fault after it was published. */
    VERIFIED,
    /** A later read found a fault. */
    DAMAGED,
    /** The manifest is missing, damaged, or of a newer format. */
    UNREADABLE
  }

  /** Log index that the folder's name says. */
  public long index() {
    return SnapshotStore.indexOf(folder);
  }

  /** Whether it counts for retention. */
  public boolean isVerified() {
    return state == State.VERIFIED;
  }

  /** The name of its folder. */
  public String name() {
    return folder.getFileName().toString();
  }
}
