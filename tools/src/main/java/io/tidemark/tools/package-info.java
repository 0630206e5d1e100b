/**
 * The operator's command line: reads the log of a stopped or a running master and changes nothing.
 *
 * <p>{@code log dump} prints events, {@code log verify} checks the log from end to end, {@code log
 * explain} tells the life of a key. All three read the log once, from its first entry on; only
 * {@code verify} keeps the whole state in memory.
 */
package io.tidemark.tools;
