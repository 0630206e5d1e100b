/**
 * Tests that load a Tidemark process and hurt it: kill -9 under concurrent writers, and input that
 * no well-behaved client sends.
 */
package io.tidemark.chaos.load;
