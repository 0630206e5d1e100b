/**
 * Object records in byte pages: one slot an object, found through an open-addressing index, guarded
 * by striped locks.
 *
 * <p>A record of one replica and a 34-byte key takes 160 bytes and some 12 of index, and gives the
 * garbage collector nothing to trace. Only the holder of the core role changes records, and only
 * under the stripe's lock; readers look up, grant leases and copy under the same lock (COR-06 to
 * COR-08, the striped-lock form).
 */
package io.tidemark.core.table;
