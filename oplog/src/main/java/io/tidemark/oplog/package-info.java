/**
 * The operation log on disk: {@link io.tidemark.oplog.ChronicleLog} writes it, {@link
 * io.tidemark.oplog.LogReader} reads it for people and tools.
 *
 * <h2>Entry record, version 2</h2>
 *
 * All numbers are little-endian; offsets are in bytes. Golden bytes: {@code EntryRecordTest}.
 *
 * <pre>
 *  0  3  "TME"
 *  3  1  version of this layout: 2
 *  4  4  length n of the payload, at most 1 MiB
 *  8  8  index
 * 16  8  epoch
 * 24  8  log time, ms
 * 32  8  wall time, ms since 1970
 * 40 16  actor (two words)
 * 56  4  cause
 * 60  4  flags: bit 0 = last entry of its batch; the others must be 0
 * 64  8  chain hash of the entry before, 0 for the first
 * 72  8  commit index that the writer knew, below the index (COR-20)
 * 80  n  payload
 * 80+n 4 CRC32C over everything before
 * </pre>
 *
 * Version 1 has no commit index; its payload begins at 72. It is read and shipped, not written.
 *
 * <p>The chain hash of an entry is XXH3 (64 bits, seed 0) over everything but the checksum, so it
 * covers the whole log up to the entry (COR-19). It is stored in the entry behind.
 *
 * <h2>Segments</h2>
 *
 * An entry is one document of a Chronicle Queue file. Files are cut by size and by term (COR-22)
 * and only between batches, and every start begins a file of its own: a file of an earlier run is
 * never appended to, so no entry can be written behind a hole.
 *
 * <h2>Commit</h2>
 *
 * With {@code persist=page} a batch is committed when it is in the mapped file. With {@code
 * persist=disk} one thread forces the file through a channel of its own and commits what was
 * appended before the forced write began; the library's own {@code sync()} does not wait for the
 * disk.
 *
 * <h2>Start</h2>
 *
 * Every file is read to its end without the library ({@code SegmentWalker}), and every entry's
 * checksum, index, chain hash and epoch are checked ({@code LogScan}). Damaged bytes that cost no
 * entry are repaired. A tail behind which nothing intact follows is cut, together with the rest of
 * its batch, and kept as evidence; if an entry that had been complete was lost, the incarnation
 * changes (COR-16). Damage before intact entries refuses the start, since those entries depend on
 * the lost ones; an operator may consent to cut there.
 *
 * <h2>Following and leading</h2>
 *
 * A follower appends a leader's records byte for byte, checked against its own end. Where its log
 * differs from the leader's it is cut ({@code LogBranching}, {@code LogCut}): what goes is kept as
 * evidence ({@link io.tidemark.oplog.DivergentBranch}), and nothing goes that is known to be
 * committed, unless an operator forced the new branch (COR-20, COR-21).
 */
package io.tidemark.oplog;
