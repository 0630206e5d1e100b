package io.tidemark.snapshot;

import io.tidemark.api.state.StateRecordType;
import java.util.Locale;

/** What a chunk holds. Apart, so that a record that can't be read is known to be an object. */
enum ChunkKind {
  /** Facts, clients, segments, discarded ranges. */
  TABLES(1),
  /** Objects. */
  OBJECTS(2),
  /** Unfinished writes. */
  WRITES(3);

  private final int code;

  ChunkKind(int code) {
    this.code = code;
  }

  /** Number in a chunk's header. */
  int code() {
    return code;
  }

  /** The word in file names and manifests. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of chunk that a record belongs in. */
  static ChunkKind of(StateRecordType type) {
    return switch (type) {
      case OBJECT -> OBJECTS;
      case WRITE -> WRITES;
      case FACTS, CLIENT, SEGMENT, DISCARD -> TABLES;
    };
  }

  /**
   * The kind with a word.
   *
   * @throws IllegalArgumentException if there is none
   */
  static ChunkKind ofWord(String word) {
    for (ChunkKind kind : values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("unknown kind of chunk " + word);
  }
}
