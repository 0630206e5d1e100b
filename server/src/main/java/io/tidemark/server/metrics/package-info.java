/**
 * What the process counts, and the page that shows it: Mooncake's metric names first, ours with
 * prefix {@code tidemark_}. Counting happens on I/O threads and allocates nothing; the page is
 * written on the admin threads.
 */
package io.tidemark.server.metrics;
