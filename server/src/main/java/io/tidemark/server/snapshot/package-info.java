/**
 * Snapshots in the process: what a start goes on from, and the thread that takes new ones and lets
 * the log behind them go.
 */
package io.tidemark.server.snapshot;
