/** Leadership and membership: words, and the port to what decides who leads. */
package io.tidemark.api.ha;
