/**
 * Who leads: {@link io.tidemark.election.EtcdCoordinator} asks etcd, {@link
 * io.tidemark.election.SingleNodeCoordinator} asks nobody. The only module that knows etcd's
 * client.
 */
package io.tidemark.election;
