package io.tidemark.oplog.replication;

/**
 * Settings of replication.
 *
 * @param minInSync members, the leader among them, without which mutations are refused (COR-04)
 * @param isrTimeoutMs a member of the in-sync set that lags or is silent for longer is taken out
 * @param heartbeatMs a standby is sent something at least this often
 * @param silenceTimeoutMs a stream on which nothing was heard for longer is closed
 * @param windowMessages messages that may be under way to one standby
 * @param windowBytes bytes of records that may be under way to one standby; at least one message is
 * @param messageBytes bytes of records at which a message is full; one record always fits
 * @param joinLagEntries a standby may ask to join the in-sync set if it lags by at most this much
 * @param retryMs wait before another try of a membership change
 * @param applySlice entries that a standby applies in one go
 */
public record ReplicationConfig(
    int minInSync,
    long isrTimeoutMs,
    long heartbeatMs,
    long silenceTimeoutMs,
    int windowMessages,
    int windowBytes,
    int messageBytes,
    long joinLagEntries,
    long retryMs,
    int applySlice) {

  public ReplicationConfig {
    require(minInSync >= 1, "min_in_sync", minInSync, "at least 1");
    require(isrTimeoutMs > 0, "isr_timeout_ms", isrTimeoutMs, "above 0");
    require(
        heartbeatMs > 0 && heartbeatMs * 2 <= isrTimeoutMs,
        "replication_heartbeat_ms",
        heartbeatMs,
        "above 0 and at most half of isr_timeout_ms (" + isrTimeoutMs + ")");
    require(windowMessages > 0, "replication_window_messages", windowMessages, "above 0");
    require(windowBytes > 0, "replication_window_bytes", windowBytes, "above 0");
    require(messageBytes > 0, "replication_message_bytes", messageBytes, "above 0");
    require(applySlice > 0, "standby_apply_slice", applySlice, "above 0");
  }

  /** The defaults: isr-timeout 2 s, heartbeat 100 ms, 64 messages or 8 MiB under way. */
  public static ReplicationConfig defaults() {
    return new ReplicationConfig(1, 2000, 100, 10_000, 64, 8 << 20, 1 << 20, 1000, 500, 1024);
  }

  /** The same with another number of members without which mutations are refused. */
  public ReplicationConfig withMinInSync(int members) {
    return new ReplicationConfig(
        members,
        isrTimeoutMs,
        heartbeatMs,
        silenceTimeoutMs,
        windowMessages,
        windowBytes,
        messageBytes,
        joinLagEntries,
        retryMs,
        applySlice);
  }

  private static void require(boolean condition, String name, long value, String legal) {
    if (!condition) {
      throw new IllegalArgumentException(name + " must be " + legal + ", got " + value);
    }
  }
}
