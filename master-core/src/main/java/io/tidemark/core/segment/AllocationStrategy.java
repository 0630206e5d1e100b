package io.tidemark.core.segment;

/** How segments are chosen for new replicas (objects specification, section 17). */
public enum AllocationStrategy {
  RANDOM,
  FREE_RATIO_FIRST,
  /** Host order from the writer's host on, then RANDOM. */
  LOCAL_FIRST
}
