package io.tidemark.server.node;

/**
 * An operator's order that a node leads although entries may be missing (COR-13, COR-16). It is
 * written down before the coordination store is changed, so that the term which follows is marked
 * also if the process dies in between.
 *
 * @param epoch of the membership record that makes the node the only member; the term that follows
 *     has a higher one
 * @param keepsMemory whether memory replicas are kept, on the operator's word that no entry is
 *     missing
 */
public record ForcedStart(long epoch, boolean keepsMemory) {}
