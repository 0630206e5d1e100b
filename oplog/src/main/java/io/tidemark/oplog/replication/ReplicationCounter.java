package io.tidemark.oplog.replication;

/** What replication counts. */
public enum ReplicationCounter {
  /** Streams that a leader took up. */
  STREAMS_ACCEPTED,
  /** Streams that a leader closed for a reason of {@link Message.Closing}. */
  STREAMS_CLOSED,
  /** Standbys turned away: the log begins behind what they have, and no snapshot is at hand. */
  STANDBYS_BELOW_BASE,
  /** Snapshots that a leader began to send. */
  SNAPSHOTS_OFFERED,
  /** Bytes of snapshots sent. */
  SNAPSHOT_BYTES_SENT,
  /** Snapshots that a standby received whole. */
  SNAPSHOTS_RECEIVED,
  /** Snapshots that a standby received in part only. */
  SNAPSHOTS_ABANDONED,
  /** Messages of records sent. */
  APPENDS_SENT,
  /** Bytes of records sent. */
  BYTES_SENT,
  /** Times that a full window made records wait. */
  WINDOW_FULL,
  /** Members taken out of the in-sync set. */
  MEMBERS_REMOVED,
  /** Members taken into the in-sync set. */
  MEMBERS_ADDED,
  /** Membership changes whose outcome was unclear or that were refused. */
  CHANGES_UNSETTLED,
  /** Streams that a standby refused for a reason of {@link Message.Refusal}. */
  STREAMS_REFUSED,
  /** Messages of a lower epoch that a standby refused (COR-18). */
  STALE_EPOCHS_REFUSED,
  /** Messages of records appended by a standby. */
  APPENDS_TAKEN,
  /** Entries that a standby cut off as divergent. */
  ENTRIES_CUT,
  /** Entries that a standby applied. */
  ENTRIES_APPLIED,
  /** Digests that did not agree (COR-28). */
  DIGEST_MISMATCHES,
  /** Appends refused because the leadership was over (COR-18). */
  APPENDS_FENCED
}
