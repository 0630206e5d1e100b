package io.tidemark.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots never overlap, and what is given back is used again. */
class SlabArenaTest {
  private record Slot(int ref, int bytes, byte fill) {}

  @ParameterizedTest(name = "no slot is written through another one (seed {0})")
  @ValueSource(longs = {1, 2, 20261130})
  void slotsAreApart(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SlabArena arena = new SlabArena();
    List<Slot> slots = new ArrayList<>();
    long used = 0;
    for (int step = 0; step < 30_000; step++) {
      if (slots.isEmpty() || random.nextInt(100) < 52) {
        int bytes = random.nextInt(50) == 0 ? random.nextInt(1, 200_000) : random.nextInt(1, 400);
        Slot slot = new Slot(arena.allocate(bytes), bytes, (byte) random.nextInt(256));
        byte[] page = arena.page(slot.ref());
        int at = arena.offset(slot.ref());
        Arrays.fill(page, at, at + bytes, slot.fill());
        slots.add(slot);
        used += SlabArena.slotBytes(bytes);
      } else {
        Slot slot = slots.remove(random.nextInt(slots.size()));
        byte[] page = arena.page(slot.ref());
        int at = arena.offset(slot.ref());
        byte[] expected = new byte[slot.bytes()];
        Arrays.fill(expected, slot.fill());
        assertThat(Arrays.equals(page, at, at + slot.bytes(), expected, 0, slot.bytes()))
            .as("content of a slot, seed %d step %d", seed, step)
            .isTrue();
        arena.free(slot.ref(), slot.bytes());
        used -= SlabArena.slotBytes(slot.bytes());
      }
      assertThat(arena.usedBytes()).isEqualTo(used);
    }
  }

  @Test
  @DisplayName("a freed slot is the next one of its size, a freed large one gives its page back")
  void reuse() {
    SlabArena arena = new SlabArena();
    int small = arena.allocate(160);
    arena.free(small, 160);
    assertThat(arena.allocate(150)).isEqualTo(small);
    int large = arena.allocate(100_000);
    arena.free(large, 100_000);
    assertThat(arena.allocate(90_000)).isEqualTo(large);
    assertThat(arena.allocate(1 << 16)).isNotEqualTo(large);
  }
}
