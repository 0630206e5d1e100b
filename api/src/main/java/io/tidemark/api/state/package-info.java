/**
 * Records of the state at one log index: what a snapshot consists of. Loading them and replaying
 * the log behind that index gives the same state as replaying the whole log (COR-26).
 */
package io.tidemark.api.state;
