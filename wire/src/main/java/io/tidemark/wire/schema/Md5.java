package io.tidemark.wire.schema;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** MD5 as the wire's naming scheme; nothing here is about security. */
final class Md5 {

  private Md5() {}

  static byte[] of(byte[] input) {
    try {
      return MessageDigest.getInstance("MD5").digest(input);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has MD5", impossible);
    }
  }
}
