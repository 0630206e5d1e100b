/**
 * Snapshots of the state on disk: {@link io.tidemark.snapshot.SnapshotWriter} writes one while the
 * master serves, {@link io.tidemark.snapshot.SnapshotReader} reads it back and judges every byte,
 * {@link io.tidemark.snapshot.SnapshotStore} keeps a folder of them, {@link
 * io.tidemark.snapshot.RestorePlan} chooses the one that a start goes on from.
 *
 * <h2>Layout, format 1</h2>
 *
 * A snapshot is a folder {@code snapshot-<20 digits of the log index>} with
 *
 * <ul>
 *   <li>chunk files {@code tables-NNNNNN.chunk}, {@code objects-NNNNNN.chunk}, {@code
 *       writes-NNNNNN.chunk}: records of one kind each, in the order in which they were captured
 *   <li>{@code MANIFEST}: what belongs to the snapshot and where in the log it stands; written last
 *   <li>{@code VERIFIED}: the snapshot was read back after it was published
 *   <li>{@code DAMAGED}: a later read found it damaged, and what it found
 * </ul>
 *
 * All numbers in chunks are little-endian. Golden bytes: {@code SnapshotFormatTest}.
 *
 * <pre>
 * header    0  4  "TMSC"
 *           4  1  version of this layout: 1
 *           5  1  kind: 1 tables, 2 objects, 3 writes
 *           6  2  zero
 *           8  4  number of the chunk, from 0
 *          12  8  log index of the snapshot
 *          20  4  CRC32C of bytes 0 to 20
 * record    0  2  0xA5 0x5D
 *           2  4  length n of the body
 *           6  4  CRC32C of the length and the body
 *          10  n  body: a state record ({@link io.tidemark.api.state.StateRecordCodec})
 * trailer   0  4  "TMSE"
 *           4  4  number of records
 *           8  4  CRC32C of everything before the trailer
 *          12  4  CRC32C of bytes 0 to 12 of the trailer
 * </pre>
 *
 * A record has a checksum of its own, and begins with two bytes that can be looked for, so that
 * damage costs the records that it hit and no others.
 */
package io.tidemark.snapshot;
