/**
 * Ports to the world outside the state machine: time and chance. Each has a real and a simulated
 * implementation.
 */
package io.tidemark.api.port;
