package io.tidemark.core.table;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.WireText;
import java.util.Arrays;

/**
 * An object's identity in the form the table stores it: one length byte and the tenant (length 0
 * for the default one), then the key; with its hash. Immutable.
 */
public final class ScopedKey {
  /** Longest tenant id that can be part of a key, in bytes. */
  public static final int MAX_TENANT_BYTES = 255;

  private final byte[] bytes;
  private final long hash;

  private ScopedKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = KeyHash.of(bytes, 0, bytes.length);
  }

  /** The stored form of a tenant and a key. */
  @SuppressWarnings("deprecation") // the only getBytes that writes Latin-1 in place, without a copy
  public static ScopedKey of(String tenant, String key) {
    int tenantLength = tenant.equals(ObjectKey.DEFAULT_TENANT) ? 0 : tenant.length();
    if (tenantLength > MAX_TENANT_BYTES) {
      throw new IllegalArgumentException(
          "tenant id of " + tenantLength + " bytes; at most " + MAX_TENANT_BYTES);
    }
    byte[] bytes = new byte[1 + tenantLength + key.length()];
    bytes[0] = (byte) tenantLength;
    tenant.getBytes(0, tenantLength, bytes, 1);
    key.getBytes(0, key.length(), bytes, 1 + tenantLength);
    return new ScopedKey(bytes);
  }

  /** The stored form of an object key. */
  public static ScopedKey of(ObjectKey key) {
    return of(key.tenant(), key.key());
  }

  static ScopedKey copyOf(byte[] page, int offset, int length) {
    return new ScopedKey(Arrays.copyOfRange(page, offset, offset + length));
  }

  /** Back to tenant and key. */
  public ObjectKey toObjectKey() {
    int tenantLength = bytes[0] & 0xff;
    String text = WireText.of(bytes);
    String tenant =
        tenantLength == 0 ? ObjectKey.DEFAULT_TENANT : text.substring(1, 1 + tenantLength);
    return new ObjectKey(tenant, text.substring(1 + tenantLength));
  }

  /** Whether the key belongs to {@code tenant}. */
  public boolean isOfTenant(String tenant) {
    int tenantLength = bytes[0] & 0xff;
    return tenantLength == 0
        ? tenant.equals(ObjectKey.DEFAULT_TENANT)
        : toObjectKey().tenant().equals(tenant);
  }

  /** 64-bit hash of the stored form. */
  public long hash() {
    return hash;
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScopedKey that && hash == that.hash && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return (int) (hash ^ hash >>> 32);
  }

  @Override
  public String toString() {
    return toObjectKey().toString();
  }
}
