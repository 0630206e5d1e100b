package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Member;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.EntryHeader;
import java.util.Collection;

/** The log of a leader that writes one event which this release does not know, in each digest. */
public final class LogOfALaterRelease extends ReplicatedLog {
  private static final byte[] UNKNOWN = {(byte) 0xEE, 1, 0};

  public LogOfALaterRelease(Parts parts, Collection<Member> inSync) {
    super(parts, inSync);
  }

  @Override
  public void append(EntryHeader header, byte[] payload, int offset, int length) {
    if (header.causeCode() == Cause.of(Cause.Trigger.DIGEST)) {
      super.append(header, UNKNOWN, 0, UNKNOWN.length);
    } else {
      super.append(header, payload, offset, length);
    }
  }
}
