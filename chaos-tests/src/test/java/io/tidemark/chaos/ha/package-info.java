/** Clusters of real masters with a real etcd: failover, hand-over, coming back. */
package io.tidemark.chaos.ha;
