package io.tidemark.chaos.wheel;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The bytes of an object, computed from a seed: blocks of 4096 that differ only in their first
 * eight bytes, the block's number. The clients' payload.py computes the same ones independently.
 */
record Content(String seed, int size) {
  private static final int BLOCK = 4096;
  private static final int DIGEST = 32;

  /** The bytes. */
  byte[] bytes() {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (int i = 0; i < BLOCK / DIGEST; i++) {
      block.put(sha256((seed + "/" + i).getBytes(StandardCharsets.UTF_8)));
    }
    byte[] bytes = new byte[size];
    for (int start = 0; start < size; start += BLOCK) {
      block.putLong(0, start / BLOCK);
      System.arraycopy(block.array(), 0, bytes, start, Math.min(BLOCK, size - start));
    }
    return bytes;
  }

  /** What a client that read exactly these bytes reports. */
  Digest digest() {
    return Digest.of(bytes());
  }

  private static byte[] sha256(byte[] data) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(data);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Length and SHA-256 of what was read. */
  record Digest(long size, String sha256) {
    /** What a client reports of a key that isn't there. */
    static final Digest NOTHING = of(new byte[0]);

    static Digest of(byte[] data) {
      return new Digest(data.length, HexFormat.of().formatHex(Content.sha256(data)));
    }
  }
}
