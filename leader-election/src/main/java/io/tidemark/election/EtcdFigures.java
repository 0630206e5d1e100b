package io.tidemark.election;

/**
 * Counts since the coordinator was opened, for metrics.
 *
 * @param renewals of the lease that etcd confirmed
 * @param failedRenewals that failed or were not answered in time
 * @param reconnects connections made anew after a while without one
 * @param watchRestarts watches begun again after they broke
 * @param refusedCalls requests refused because too many were under way
 * @param unclearCalls requests whose outcome is not known
 */
public record EtcdFigures(
    long renewals,
    long failedRenewals,
    long reconnects,
    long watchRestarts,
    long refusedCalls,
    long unclearCalls) {}
