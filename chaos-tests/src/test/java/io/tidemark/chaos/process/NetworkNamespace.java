package io.tidemark.chaos.process;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;

/** Moves threads into network namespaces, as {@code nsenter} does with processes. */
final class NetworkNamespace {
  private static final int READ_ONLY = 0;
  private static final int NETWORK = 0x4000_0000;
  private static final C LIBRARY = Native.load("c", C.class);

  private NetworkNamespace() {}

  /** The C library. */
  interface C extends Library {
    int open(String path, int flags) throws LastErrorException;

    int setns(int file, int type) throws LastErrorException;

    int close(int file) throws LastErrorException;
  }

  /** The calling thread is in that namespace from now on; there is no way back. */
  static void enter(String name) {
    int file = LIBRARY.open("/run/netns/" + name, READ_ONLY);
    try {
      LIBRARY.setns(file, NETWORK);
    } finally {
      LIBRARY.close(file);
    }
  }
}
