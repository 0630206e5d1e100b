/**
 * The admin port: Mooncake's HTTP paths in its exact form, metrics, and probes.
 *
 * <p>Probes are answered on the port's own event loop; everything else on a small worker pool,
 * which may wait for the state machine with a timeout. Inspection changes nothing and grants no
 * leases.
 */
package io.tidemark.server.admin;
