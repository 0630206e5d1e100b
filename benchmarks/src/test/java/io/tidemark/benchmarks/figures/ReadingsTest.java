package io.tidemark.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadingsTest {

  @Test
  void memoryBesideTheHeapIsTheTotalWithoutIt() throws IOException {
    String heapInfo =
        """
        17664:
         garbage-first heap   total 262144K, used 17626K [0x0000000080000000, 0x0000000100000000)
          region size 1024K, 3 young (3072K), 0 survivors (0K)
        """;
    String nativeMemory =
        """
        Total: reserved=3500000KB, committed=400000KB
        -                 Java Heap (reserved=2097152KB, committed=262144KB)
                                    (mmap: reserved=2097152KB, committed=262144KB)
        -                  Compiler (reserved=30000KB, committed=20000KB)
        """;

    JavaMemory memory = JavaMemory.parse(heapInfo, nativeMemory);

    assertThat(memory.heapBytes()).isEqualTo(17_626 * 1_024);
    assertThat(memory.otherBytes()).isEqualTo((400_000 - 262_144 - 20_000) * 1_024);
    assertThatThrownBy(() -> JavaMemory.parse("", nativeMemory)).isInstanceOf(IOException.class);
  }

  @Test
  void residentMemoryIsReadFromTheKernelsPage() throws IOException {
    Resident resident = Resident.parse("Name:\tjava\nVmRSS:\t  2048 kB\nRssAnon:\t  1024 kB\n");

    assertThat(resident).isEqualTo(new Resident(2_097_152, 1_048_576));
  }

  @Test
  void aRateIsSteadyWhenItNoLongerRises() {
    List<Double> rising = List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0);
    List<Double> level = List.of(1.0, 9.0, 5.0, 8.9, 8.0, 9.1, 3.0, 8.8, 9.0, 4.0);

    assertThat(SteadyState.isSteady(rising)).isFalse();
    assertThat(SteadyState.isSteady(level)).isTrue();
    assertThat(SteadyState.isSteady(level.subList(1, 10))).isFalse();
  }

  @Test
  void percentilesAreValuesThatWereSeen() {
    double[] values = new double[200];
    for (int i = 0; i < values.length; i++) {
      values[i] = i + 1;
    }

    assertThat(OpenLoop.percentile(values, 0.99)).isEqualTo(198);
    assertThat(OpenLoop.percentile(values, 1)).isEqualTo(200);
    assertThat(OpenLoop.percentile(new double[0], 0.99)).isZero();
  }

  @Test
  void keysHaveTheirLengthAndDoNotRepeat() {
    KeyRange range = new KeyRange("00000001");
    range.added(10);
    range.removed(4);

    assertThat(range.size()).isEqualTo(6);
    assertThat(range.key(9)).hasSize(KeyedFrame.KEY_BYTES).startsWith("00000001/0").endsWith("09");
    for (int i = 0; i < 100; i++) {
      assertThat(range.any()).isBetween(4L, 9L);
    }
    range.clear();
    assertThat(range.any()).isEqualTo(10);
  }
}
