/**
 * The shared words of Tidemark: identifiers, requests, events, replies, error codes and ports.
 *
 * <p>Text that travels on the client wire (keys, tenant ids, segment names, endpoints) is held as a
 * {@link String} in which every character is one byte (ISO-8859-1). Mooncake keys are arbitrary
 * bytes; this form keeps them exact, hashes and compares them at memory speed, and needs no type of
 * its own. {@link io.tidemark.api.WireText} turns it into readable text for people and is the only
 * place that may do so.
 */
package io.tidemark.api;
