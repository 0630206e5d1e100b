package io.tidemark.core.object;

import io.tidemark.api.ObjectKey;
import io.tidemark.core.table.ScopedKey;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Objects that are evicted together. A read of any member leases all of them, and one that joins
 * later inherits what is left of it, as v0.3.14 does (measured; the older half-TTL rule is not
 * followed).
 *
 * <p>Members are touched by the holder of the core role; the lease by any thread.
 */
public final class Group {
  private final int number;
  private final ObjectKey name;
  private final Set<ScopedKey> members = new LinkedHashSet<>();
  private final AtomicLong leaseUntilMs = new AtomicLong();

  Group(int number, ObjectKey name) {
    this.number = number;
    this.name = name;
  }

  public int number() {
    return number;
  }

  /** Tenant and group id. */
  public ObjectKey name() {
    return name;
  }

  public Set<ScopedKey> members() {
    return Collections.unmodifiableSet(members);
  }

  void add(ScopedKey member) {
    members.add(member);
  }

  void remove(ScopedKey member) {
    members.remove(member);
  }

  /** End of the group's lease in log time. Soft state. */
  public long leaseUntilMs() {
    return leaseUntilMs.get();
  }

  /** Never shortens the lease. */
  public void extendLease(long untilMs) {
    leaseUntilMs.accumulateAndGet(untilMs, Math::max);
  }
}
