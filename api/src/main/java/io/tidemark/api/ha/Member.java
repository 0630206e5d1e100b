package io.tidemark.api.ha;

import java.util.UUID;

/**
 * A node as the in-sync set knows it.
 *
 * @param node stays with a log directory for its life
 * @param incarnation changes whenever the directory may have lost entries that it once acknowledged
 *     (COR-16); with another incarnation it is another member
 */
public record Member(UUID node, UUID incarnation) {}
