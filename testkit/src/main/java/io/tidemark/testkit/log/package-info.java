/**
 * The operation log in tests: a simulated twin that can be made to fail, and the contract that the
 * twin and the real log both keep.
 */
package io.tidemark.testkit.log;
