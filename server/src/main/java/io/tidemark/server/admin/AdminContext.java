package io.tidemark.server.admin;

import io.tidemark.core.MasterService;
import io.tidemark.server.metrics.MetricsPage;
import io.tidemark.server.metrics.SummaryText;

/**
 * What the pages draw from.
 *
 * @param displayVersion version of this program
 * @param serviceVersion version that clients compare
 */
public record AdminContext(
    MasterService master,
    MetricsPage metrics,
    SummaryText summary,
    String displayVersion,
    String serviceVersion) {}
