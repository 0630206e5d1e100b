/** Memory segments, the clients that lend them, their allocators, and placement. */
package io.tidemark.core.segment;
