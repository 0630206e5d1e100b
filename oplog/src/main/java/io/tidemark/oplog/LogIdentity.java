package io.tidemark.oplog;

import java.util.UUID;

/**
 * Who a log directory belongs to.
 *
 * @param cluster the cluster whose decisions the log holds (COR-17)
 * @param node the node; stays with the directory for its life
 * @param incarnation changes whenever the directory may have lost entries that it once acknowledged
 *     (COR-16)
 */
public record LogIdentity(UUID cluster, UUID node, UUID incarnation) {}
