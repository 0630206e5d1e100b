package io.tidemark.wire.schema;

import io.tidemark.api.rpc.Rpc;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Numbers by which a request names its call (coro-rpc wire, section 4). */
public final class FunctionIds {

  private static final String CLASS_PREFIX = "mooncake::WrappedMasterService::";

  private FunctionIds() {}

  /** The id of a call, the same in every release. */
  public static int of(Rpc rpc) {
    return ofMethod(rpc.methodName());
  }

  /** The id of a method of {@code WrappedMasterService}, registered or not. */
  public static int ofMethod(String methodName) {
    byte[] name = (CLASS_PREFIX + methodName).getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.wrap(Md5.of(name)).getInt();
  }
}
