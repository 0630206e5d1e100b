package io.tidemark.api;

/** Identity of an object: tenant and key, both wire strings. */
public record ObjectKey(String tenant, String key) {

  /** Tenant of every object while multi-tenancy is off (objects specification, section 3.1). */
  public static final String DEFAULT_TENANT = "default";

  /** An object of the default tenant. */
  public static ObjectKey ofDefaultTenant(String key) {
    return new ObjectKey(DEFAULT_TENANT, key);
  }

  @Override
  public String toString() {
    return tenant.equals(DEFAULT_TENANT)
        ? WireText.display(key)
        : WireText.display(tenant) + "/" + WireText.display(key);
  }
}
