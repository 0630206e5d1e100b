/**
 * Starts masters and clients as real processes and watches them from outside.
 *
 * <p>Nothing here waits a fixed time: {@link io.tidemark.chaos.process.Await} polls for a condition
 * and gives up at a deadline. Every process, network namespace and folder belongs to one test's
 * {@link io.tidemark.chaos.process.Evidence}, which ends them with the test and keeps logs and data
 * under {@code target/evidence/} when the test failed. Only processes started here are ever killed,
 * by their id.
 *
 * <p>System properties: {@code tidemark.evidence.keep=true} keeps the folders of passed tests too;
 * {@code tidemark.launcher=FILE} runs another build of Tidemark than this checkout's.
 */
package io.tidemark.chaos.process;
