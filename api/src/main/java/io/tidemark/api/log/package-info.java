/**
 * The operation log as the rest of the system sees it: entries, positions, and the port that stores
 * them.
 *
 * <p>The real log lives in module {@code oplog}; a simulated twin lives in {@code testkit}. Both
 * pass the same contract test.
 */
package io.tidemark.api.log;
