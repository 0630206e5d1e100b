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
 * @param deniedCalls requests that etcd refused for the login, the rights or the certificate
 * @param raises writes that did nothing but raise etcd's revision above the views that were seen
 */
public record EtcdFigures(
    long renewals,
    long failedRenewals,
    long reconnects,
    long watchRestarts,
    long refusedCalls,
    long unclearCalls,
    long deniedCalls,
    long raises) {}
