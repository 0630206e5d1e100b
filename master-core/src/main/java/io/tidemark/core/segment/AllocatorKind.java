package io.tidemark.core.segment;

/** How a segment hands out ranges (objects specification, section 18). */
public enum AllocatorKind {
  /** 256 bins of free regions. */
  OFFSET,
  /**
   * Accepted for its alignment and size rules: 16 MiB slabs, requests padded to 64 bytes, at most
   * 16 MiB - 16.
   */
  CACHELIB
}
