package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory of a Java process after a collection, as its own {@code jcmd} says.
 *
 * @param heapBytes used by objects that live
 * @param otherBytes taken from the system for anything but the heap: buffers, classes, compiled
 *     code, the collector's own tables, but not what the compiler is working with at the moment;
 *     needs {@link #FLAG}
 */
record JavaMemory(double heapBytes, double otherBytes) {
  static final String FLAG = "-XX:NativeMemoryTracking=summary";

  private static final Pattern USED = Pattern.compile("total \\d+K, used (\\d+)K");
  private static final Pattern TOTAL =
      Pattern.compile("Total: reserved=\\d+KB, committed=(\\d+)KB");
  private static final Pattern HEAP =
      Pattern.compile("Java Heap \\(reserved=\\d+KB, committed=(\\d+)KB\\)");
  private static final Pattern COMPILER =
      Pattern.compile("Compiler \\(reserved=\\d+KB, committed=(\\d+)KB\\)");
  private static final int KIB = 1_024;

  /** Collects, then looks. */
  static JavaMemory afterCollection(long pid) throws IOException, InterruptedException {
    // Twice: what the first one finds unreachable may hold buffers that the second frees.
    jcmd(pid, "GC.run");
    jcmd(pid, "GC.run");
    return parse(jcmd(pid, "GC.heap_info"), jcmd(pid, "VM.native_memory", "summary"));
  }

  /** Reads what the two commands print. */
  static JavaMemory parse(String heapInfo, String nativeMemory) throws IOException {
    double apart = first(HEAP, nativeMemory) + first(COMPILER, nativeMemory);
    double other = first(TOTAL, nativeMemory) - apart;
    return new JavaMemory(first(USED, heapInfo) * KIB, other * KIB);
  }

  private static double first(Pattern pattern, String text) throws IOException {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IOException("jcmd says nothing like \"" + pattern + "\": " + text);
    }
    return Double.parseDouble(matcher.group(1));
  }

  private static String jcmd(long pid, String... words) throws IOException, InterruptedException {
    String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    String[] command = new String[words.length + 2];
    command[0] = program;
    command[1] = Long.toString(pid);
    System.arraycopy(words, 0, command, 2, words.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException("jcmd ended with " + status + ": " + output);
    }
    return output;
  }
}
