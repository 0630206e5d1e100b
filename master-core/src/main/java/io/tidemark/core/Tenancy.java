package io.tidemark.core;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.ObjectKey;
import io.tidemark.api.rpc.Request;
import io.tidemark.core.table.ScopedKey;
import java.util.Optional;

/**
 * What the tenant argument of a call means (objects specification, section 3.2): nothing while
 * multi-tenancy is off; else it is checked and becomes part of the key.
 */
final class Tenancy {
  private final boolean enabled;

  Tenancy(boolean enabled) {
    this.enabled = enabled;
  }

  /** The error of a call whose tenant is not legal; empty if it is. */
  Optional<ErrorCode> check(Request request) {
    if (!enabled) {
      return Optional.empty();
    }
    String tenant = tenantOf(request);
    if (tenant == null) {
      return Optional.empty();
    }
    if (request instanceof Request.BatchWriteStart batch
        && batch.keys().size() != batch.sliceLengths().length) {
      return Optional.of(ErrorCode.INVALID_PARAMS);
    }
    boolean start =
        request instanceof Request.WriteStart || request instanceof Request.BatchWriteStart;
    if (start) {
      return tenant.isEmpty() || !isValid(tenant)
          ? Optional.of(ErrorCode.TENANT_NOT_REGISTERED)
          : Optional.empty();
    }
    return tenant.isEmpty() || isValid(tenant)
        ? Optional.empty()
        : Optional.of(ErrorCode.INVALID_PARAMS);
  }

  /** The tenant that a call acts on. */
  String resolve(String tenant) {
    return enabled && !tenant.isEmpty() ? tenant : ObjectKey.DEFAULT_TENANT;
  }

  /** Whether RemoveAll with this tenant means all tenants. */
  boolean meansAll(String tenant) {
    return !enabled || tenant.isEmpty();
  }

  static boolean isValid(String tenant) {
    if (tenant.length() > ScopedKey.MAX_TENANT_BYTES || tenant.startsWith("_")) {
      return false;
    }
    return tenant.chars().noneMatch(c -> c < 0x20 || c == 0x7f);
  }

  /** The call with its tenant resolved; the same object if nothing changes. */
  Request resolved(Request request) {
    String tenant = tenantOf(request);
    if (tenant == null || request instanceof Request.RemoveAll || resolve(tenant).equals(tenant)) {
      return request;
    }
    return withTenant(request, resolve(tenant));
  }

  private static String tenantOf(Request request) {
    if (request instanceof Request.GetReplicaList r) {
      return r.tenant();
    } else if (request instanceof Request.WriteStart r) {
      return r.tenant();
    } else if (request instanceof Request.WriteEnd r) {
      return r.tenant();
    } else if (request instanceof Request.ExistKey r) {
      return r.tenant();
    } else if (request instanceof Request.BatchGetReplicaList r) {
      return r.tenant();
    } else if (request instanceof Request.BatchExistKey r) {
      return r.tenant();
    } else if (request instanceof Request.BatchWriteStart r) {
      return r.tenant();
    } else if (request instanceof Request.BatchWriteEnd r) {
      return r.tenant();
    } else if (request instanceof Request.WriteRevoke r) {
      return r.tenant();
    } else if (request instanceof Request.BatchWriteRevoke r) {
      return r.tenant();
    } else if (request instanceof Request.Remove r) {
      return r.tenant();
    } else if (request instanceof Request.BatchRemove r) {
      return r.tenant();
    } else if (request instanceof Request.RemoveByRegex r) {
      return r.tenant();
    } else if (request instanceof Request.RemoveAll r) {
      return r.tenant();
    } else if (request instanceof Request.GetReplicaListByRegex r) {
      return r.tenant();
    } else if (request instanceof Request.BatchReplicaClear r) {
      return r.tenant();
    }
    return null;
  }

  private static Request withTenant(Request request, String tenant) {
    if (request instanceof Request.GetReplicaList r) {
      return new Request.GetReplicaList(r.rpc(), r.key(), tenant);
    } else if (request instanceof Request.WriteStart r) {
      return new Request.WriteStart(
          r.rpc(), r.clientId(), r.key(), r.sliceLength(), r.config(), tenant);
    } else if (request instanceof Request.WriteEnd r) {
      return new Request.WriteEnd(
          r.rpc(), r.clientId(), r.key(), r.checksum(), r.replicaType(), tenant);
    } else if (request instanceof Request.ExistKey r) {
      return new Request.ExistKey(r.rpc(), r.key(), tenant);
    } else if (request instanceof Request.BatchGetReplicaList r) {
      return new Request.BatchGetReplicaList(r.rpc(), r.keys(), tenant);
    } else if (request instanceof Request.BatchExistKey r) {
      return new Request.BatchExistKey(
          r.rpc(), r.keys(), tenant, r.probePolicy(), r.candidateSize());
    } else if (request instanceof Request.BatchWriteStart r) {
      return new Request.BatchWriteStart(
          r.rpc(), r.clientId(), r.keys(), r.sliceLengths(), r.config(), tenant);
    } else if (request instanceof Request.BatchWriteEnd r) {
      return new Request.BatchWriteEnd(
          r.rpc(), r.clientId(), r.keys(), r.checksums(), r.replicaType(), tenant);
    } else if (request instanceof Request.WriteRevoke r) {
      return new Request.WriteRevoke(r.rpc(), r.clientId(), r.key(), r.replicaType(), tenant);
    } else if (request instanceof Request.BatchWriteRevoke r) {
      return new Request.BatchWriteRevoke(r.rpc(), r.clientId(), r.keys(), r.replicaType(), tenant);
    } else if (request instanceof Request.Remove r) {
      return new Request.Remove(r.key(), r.force(), tenant);
    } else if (request instanceof Request.BatchRemove r) {
      return new Request.BatchRemove(r.keys(), r.force(), tenant);
    } else if (request instanceof Request.RemoveByRegex r) {
      return new Request.RemoveByRegex(r.regex(), r.force(), tenant);
    } else if (request instanceof Request.GetReplicaListByRegex r) {
      return new Request.GetReplicaListByRegex(r.regex(), tenant);
    } else if (request instanceof Request.BatchReplicaClear r) {
      return new Request.BatchReplicaClear(r.keys(), r.clientId(), r.segmentName(), tenant);
    }
    return request;
  }
}
