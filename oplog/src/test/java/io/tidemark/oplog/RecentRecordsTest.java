package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentRecordsTest {
  private final RecentRecords recent = new RecentRecords();

  @Test
  void whatWasAddedLastIsThereAndWhatCameBeforeGoesByBytes() {
    int bytes = (int) (RecentRecords.CAPACITY_BYTES / 4);
    for (long index = 7; index < 13; index++) {
      recent.add(index, index * 10, new byte[bytes]);
    }
    assertThat(recent.at(8)).isNull();
    for (long index = 9; index < 13; index++) {
      assertThat(recent.at(index).chainHash()).isEqualTo(index * 10);
    }
    assertThat(recent.at(13)).isNull();
  }

  @Test
  void manySmallOnesAreBoundedToo() {
    for (long index = 1; index <= 10_000; index++) {
      recent.add(index, index, new byte[1]);
    }
    assertThat(recent.at(10_000 - 4_095).index()).isEqualTo(10_000 - 4_095);
    assertThat(recent.at(10_000 - 4_096)).isNull();
  }

  @Test
  void oneThatIsLargerThanAllIsKeptAlone() {
    recent.add(1, 1, new byte[10]);
    recent.add(2, 2, new byte[(int) RecentRecords.CAPACITY_BYTES + 1]);
    assertThat(recent.at(1)).isNull();
    assertThat(recent.at(2)).isNotNull();
    recent.add(3, 3, new byte[10]);
    assertThat(recent.at(2)).isNull();
    assertThat(recent.at(3)).isNotNull();
  }

  @Test
  void oneThatDoesNotFollowBeginsAnewAndAfterACutNothingIsThere() {
    recent.add(5, 5, new byte[10]);
    recent.add(6, 6, new byte[10]);
    recent.add(6, 66, new byte[10]);
    assertThat(recent.at(5)).isNull();
    assertThat(recent.at(6).chainHash()).isEqualTo(66);
    recent.forget();
    assertThat(recent.at(6)).isNull();
    assertThat(recent.at(0)).isNull();
    recent.add(6, 7, new byte[10]);
    assertThat(recent.at(6).chainHash()).isEqualTo(7);
  }
}
