/**
 * A master as a member of a cluster: the process around {@link io.tidemark.server.node.Node}. The
 * client port is open in every role; what it answers depends on whether the node serves
 * (docs/adr/0018-ha-process.md).
 */
package io.tidemark.server.ha;
