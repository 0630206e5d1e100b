package io.tidemark.core;

import io.tidemark.api.ErrorCode;

/** Mooncake's codes as tests read them. */
final class Codes {
  static final int OK = 0;
  static final int SEGMENT_NOT_FOUND = ErrorCode.SEGMENT_NOT_FOUND.value();
  static final int NO_MEMORY = ErrorCode.NO_AVAILABLE_HANDLE.value();
  static final int INVALID_PARAMS = ErrorCode.INVALID_PARAMS.value();
  static final int ILLEGAL_CLIENT = ErrorCode.ILLEGAL_CLIENT.value();
  static final int INVALID_WRITE = ErrorCode.INVALID_WRITE.value();
  static final int NOT_READY = ErrorCode.REPLICA_IS_NOT_READY.value();
  static final int NOT_FOUND = ErrorCode.OBJECT_NOT_FOUND.value();
  static final int EXISTS = ErrorCode.OBJECT_ALREADY_EXISTS.value();
  static final int HAS_LEASE = ErrorCode.OBJECT_HAS_LEASE.value();
  static final int UNAVAILABLE = ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value();
  static final int NOT_SUPPORTED = ErrorCode.NOT_SUPPORTED.value();
  static final int DFS_UNAVAILABLE = ErrorCode.DFS_SERVICE_UNAVAILABLE.value();
  static final int UNREGISTERED = ErrorCode.TENANT_NOT_REGISTERED.value();

  private Codes() {}
}
