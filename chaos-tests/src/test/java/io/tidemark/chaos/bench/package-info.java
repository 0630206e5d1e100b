/** {@code tidemark bench} as an operator runs it, on real masters. */
package io.tidemark.chaos.bench;
