package io.tidemark.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios OBJ-188 to OBJ-191, measured sizes, and random use against a map of bytes. */
class OffsetAllocatorTest {
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  private record Block(long offset, long bytes) {}

  private static Block allocate(OffsetAllocator allocator, long bytes) {
    long offset = allocator.find(bytes);
    if (offset < 0) {
      return null;
    }
    Block block = new Block(offset, allocator.blockBytes(bytes));
    allocator.take(block.offset(), block.bytes());
    return block;
  }

  private static void free(OffsetAllocator allocator, Block block) {
    allocator.free(block.offset(), block.bytes());
  }

  @Test
  @DisplayName("OBJ-188 freed neighbours merge")
  void merge() {
    OffsetAllocator allocator = new OffsetAllocator(1024);
    Block a = allocate(allocator, 128);
    Block b = allocate(allocator, 128);
    Block c = allocate(allocator, 128);
    assertThat(allocator.freeBytes()).isEqualTo(640);
    free(allocator, a);
    assertThat(allocator.largestFreeBytes()).isEqualTo(640);
    free(allocator, c);
    assertThat(allocator.largestFreeBytes()).as("C merged with the tail").isEqualTo(768);
    free(allocator, b);
    assertThat(allocator.largestFreeBytes()).isEqualTo(1024);
    assertThat(allocator.find(1024)).isZero();
  }

  @Test
  @DisplayName("OBJ-189 1023 and 1024 units fit into 2048")
  void both() {
    OffsetAllocator allocator = new OffsetAllocator(2048);
    assertThat(allocate(allocator, 1023)).isNotNull();
    assertThat(allocate(allocator, 1024)).isNotNull();
    assertThat(allocator.freeBytes()).isZero();
  }

  @Test
  @DisplayName("OBJ-190 the number of blocks has no limit of its own: every byte can be handed out")
  void noNodeLimit() {
    OffsetAllocator allocator = new OffsetAllocator(MIB);
    for (int i = 0; i < MIB; i++) {
      assertThat(allocate(allocator, 1)).isNotNull();
    }
    assertThat(allocator.find(1)).isNegative();
  }

  @Test
  @DisplayName("OBJ-191 nothing for size 0 or beyond the pool; the whole pool for its own size")
  void borders() {
    OffsetAllocator allocator = new OffsetAllocator(16 * MIB);
    assertThat(allocator.find(0)).isNegative();
    assertThat(allocator.find(-1)).isNegative();
    assertThat(allocator.find(16 * MIB + 1)).isNegative();
    assertThat(allocator.find(Long.MAX_VALUE)).isNegative();
    assertThat(allocator.find(16 * MIB)).isZero();
  }

  @ParameterizedTest(name = "measured: a request of {0} bytes takes {1}")
  @CsvSource({
    "1,1",
    "7,7",
    "8,8",
    "16,16",
    "17,18",
    "100,104",
    "1000,1024",
    "1024,1024",
    "1025,1152",
    "100000,106496",
    "1048576,1048576"
  })
  void roundedUp(long bytes, long block) {
    assertThat(new OffsetAllocator(16 * MIB).blockBytes(bytes)).isEqualTo(block);
  }

  @ParameterizedTest(name = "measured: a segment of {0} bytes holds objects up to {1}")
  @CsvSource({
    "22020096,20971520", // 21 MiB: 20
    "17825792,16777216", // 17 MiB: 16
    "104857600,100663296", // 100 MiB: 96
    "16777215,15728640", // 16 MiB - 1: 15
    "16777216,16777216"
  })
  void filedDown(long segmentBytes, long largest) {
    OffsetAllocator allocator = new OffsetAllocator(segmentBytes);
    assertThat(allocator.largestFreeBytes()).isEqualTo(largest);
    assertThat(allocator.find(largest)).isZero();
    assertThat(allocator.find(largest + 1)).isNegative();
    if (segmentBytes != largest) {
      assertThat(allocator.find(segmentBytes)).isNegative();
    }
  }

  @ParameterizedTest(name = "measured: the granule of {0} GiB is {1}")
  @CsvSource({"3,1", "4,2", "8,4", "16,8", "32,16"})
  void granule(long gib, long granule) {
    OffsetAllocator allocator = new OffsetAllocator(gib * GIB);
    assertThat(allocator.blockBytes(1)).isEqualTo(granule);
    assertThat(allocator.blockBytes(granule + 1)).isEqualTo(2 * granule);
  }

  @ParameterizedTest(name = "a pool of 2^{0} bytes is one free region of its size")
  @ValueSource(ints = {30, 31, 32, 33, 36, 40})
  void powersOfTwo(int exponent) {
    assertThat(new OffsetAllocator(1L << exponent).largestFreeBytes()).isEqualTo(1L << exponent);
  }

  @Test
  @DisplayName("every bin is the floor and the ceiling of its own size, and bins rise")
  void bins() {
    for (int bin = 0; bin < 240; bin++) {
      long size = OffsetAllocator.binSize(bin);
      assertThat(OffsetAllocator.binRoundedUp(size)).isEqualTo(bin);
      assertThat(OffsetAllocator.binRoundedDown(size)).isEqualTo(bin);
      assertThat(OffsetAllocator.binSize(bin + 1)).isGreaterThan(size);
      if (OffsetAllocator.binSize(bin + 1) > size + 1) {
        assertThat(OffsetAllocator.binRoundedUp(size + 1)).isEqualTo(bin + 1);
        assertThat(OffsetAllocator.binRoundedDown(size + 1)).isEqualTo(bin);
      }
    }
  }

  @Test
  @DisplayName("measured: of several holes of a size the one freed last is used first")
  void lastFreedFirst() {
    OffsetAllocator allocator = new OffsetAllocator(16 * 1024);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      blocks.add(allocate(allocator, 1024));
    }
    free(allocator, blocks.get(3));
    free(allocator, blocks.get(9));
    free(allocator, blocks.get(6));
    assertThat(allocator.find(1024)).isEqualTo(blocks.get(6).offset());
  }

  @Test
  @DisplayName("a range that is not free can't be taken, one that is free can't be given back")
  void brokenEventsThrow() {
    OffsetAllocator allocator = new OffsetAllocator(1024);
    allocator.take(128, 128);
    assertThatThrownBy(() -> allocator.take(128, 128)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> allocator.take(0, 129)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> allocator.take(255, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> allocator.take(960, 128)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> allocator.free(0, 128)).isInstanceOf(IllegalStateException.class);
    allocator.free(128, 128);
    assertThatThrownBy(() -> allocator.free(0, 1024)).isInstanceOf(IllegalStateException.class);
    assertThat(allocator.freeBytes()).isEqualTo(1024);
  }

  @Test
  @DisplayName("a take needs not begin at the start of a free region (replay of reserved ranges)")
  void takeInside() {
    OffsetAllocator allocator = new OffsetAllocator(1024);
    allocator.take(300, 100);
    allocator.take(100, 50);
    assertThat(allocator.takeFreePartsOf(0, 350))
        .containsExactlyInAnyOrder(
            new OffsetAllocator.Range(0, 100), new OffsetAllocator.Range(150, 150));
    assertThat(allocator.freeBytes()).isEqualTo(624);
  }

  @ParameterizedTest(name = "random use agrees with a map of units (seed {0})")
  @ValueSource(longs = {1, 2, 3, 20261130})
  void randomUse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int pool = 1 << 16;
    OffsetAllocator allocator = new OffsetAllocator(pool);
    BitSet taken = new BitSet(pool);
    List<Block> blocks = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      if (random.nextInt(100) < 55) {
        long bytes = random.nextLong(1, 1L << random.nextInt(1, 14));
        Block block = allocate(allocator, bytes);
        if (block == null) {
          assertNoRegionFits(taken, pool, bytes, seed);
        } else {
          int from = (int) block.offset();
          int to = from + (int) block.bytes();
          assertThat(block.bytes()).isGreaterThanOrEqualTo(bytes);
          assertThat(taken.get(from, to).isEmpty()).as("seed %d step %d", seed, step).isTrue();
          taken.set(from, to);
          blocks.add(block);
        }
      } else if (!blocks.isEmpty()) {
        Block block = blocks.remove(random.nextInt(blocks.size()));
        free(allocator, block);
        taken.clear((int) block.offset(), (int) (block.offset() + block.bytes()));
      }
      assertThat(allocator.freeBytes())
          .as("seed %d step %d", seed, step)
          .isEqualTo(pool - taken.cardinality());
    }
    blocks.forEach(block -> free(allocator, block));
    assertThat(allocator.largestFreeBytes()).as("all merged, seed %d", seed).isEqualTo(pool);
  }

  /** A failure is only right if no free region's bin floor holds the rounded request. */
  private static void assertNoRegionFits(BitSet taken, int pool, long bytes, long seed) {
    long need = OffsetAllocator.binSize(OffsetAllocator.binRoundedUp(bytes));
    for (int from = taken.nextClearBit(0); from < pool; ) {
      int next = taken.nextSetBit(from);
      int to = next < 0 ? pool : next;
      long floor = OffsetAllocator.binSize(OffsetAllocator.binRoundedDown(to - from));
      assertThat(floor).as("region at %d, seed %d", from, seed).isLessThan(need);
      from = taken.nextClearBit(to);
    }
  }
}
