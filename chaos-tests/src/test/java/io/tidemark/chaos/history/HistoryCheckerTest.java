package io.tidemark.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.history.Read.Seen;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker notices each accident it is there for, and takes what is merely unlucky. */
class HistoryCheckerTest {
  private static final MemoryRange RANGE = new MemoryRange("a:1", 1000, 100);
  private static final MemoryRange OTHER = new MemoryRange("a:1", 2000, 100);
  private static final long MS = 1_000_000;
  private static final long QUARANTINE_MS = 50;

  private long now;
  private final History history = new History(() -> now);
  private final KeyHistory key = history.of("k");

  @Test
  void aKeyThatIsWrittenReadAndRemovedIsSound() {
    store(key, 10, RANGE);
    read(Seen.FOUND, RANGE, 20, 21);
    read(Seen.EXISTS, null, 22, 23);
    remove(key, 30);
    read(Seen.NOT_FOUND, null, 40, 41);
    store(key, 50, OTHER);
    read(Seen.FOUND, OTHER, 60, 61);
    assertThat(violations()).isEmpty();
  }

  @Test
  void whatWasAcknowledgedAndIsNotFoundIsLost() {
    store(key, 10, RANGE);
    read(Seen.NOT_FOUND, null, 20, 21);
    assertThat(violations()).singleElement().asString().contains("k: lost").contains("acknow");
  }

  @Test
  void whatWasRemovedAndIsThereAgainIsNoticed() {
    store(key, 10, RANGE);
    remove(key, 20);
    read(Seen.FOUND, RANGE, 30, 31);
    assertThat(violations()).singleElement().asString().contains("there again");
  }

  @Test
  void whatWasSeenAndIsGoneIsNoticedEvenIfTheWriterWasNotAnswered() {
    start(key, 10, RANGE);
    now = 12;
    key.ending();
    read(Seen.FOUND, RANGE, 20, 21);
    read(Seen.NOT_READY, null, 30, 31);
    assertThat(violations()).singleElement().asString().contains("lost").contains("a reader had");
  }

  @Test
  void readsWhileAnAnswerIsOutMaySeeEitherState() {
    start(key, 10, RANGE);
    now = 12;
    Change end = key.ending();
    read(Seen.NOT_READY, null, 20, 40);
    read(Seen.FOUND, RANGE, 21, 39);
    read(Seen.FOUND, RANGE, 41, 42);
    now = 50;
    key.done(end);
    assertThat(violations()).isEmpty();
  }

  @Test
  void whatNobodyWroteOrEndedIsNotReadable() {
    start(key, 10, RANGE);
    read(Seen.EXISTS, null, 20, 21);
    read(Seen.FOUND, OTHER, 30, 31);
    now = 40;
    key.done(key.ending());
    assertThat(violations())
        .hasSize(2)
        .anyMatch(said -> said.contains("before its writer ended it"))
        .anyMatch(said -> said.contains("where nobody wrote it"));
  }

  @Test
  void twoWritersOfOneRangeAreNoticed() {
    store(key, 10, RANGE);
    start(history.of("other"), 20, new MemoryRange("a:1", 1099, 10));
    start(history.of("elsewhere"), 21, new MemoryRange("b:1", 1000, 10));
    assertThat(violations()).singleElement().asString().contains("given out twice");
  }

  @Test
  void aRemovedRangeMayBeGivenOutAgainButNotUnderALease() {
    store(key, 10, RANGE);
    remove(key, 20 * MS);
    start(history.of("second"), 20 * MS + 1, RANGE);
    assertThat(violations()).isEmpty();
    key.read(new Read(Seen.FOUND, RANGE, 15, 15 * MS, 15 * MS + 1, ""));
    assertThat(violations()).singleElement().asString().contains("given out twice");
  }

  @Test
  void aRevokedRangeIsReservedForTheQuarantine() {
    start(key, 10, RANGE);
    now = 20 * MS;
    key.done(key.revoking());
    start(history.of("late enough"), 75 * MS, RANGE);
    assertThat(violations()).isEmpty();
    start(history.of("too early"), 69 * MS, RANGE);
    assertThat(violations()).isNotEmpty();
  }

  @Test
  void aRemovalThatWasRefusedLeavesTheKeyWhereItWas() {
    store(key, 10, RANGE);
    now = 20;
    key.refused(key.removing());
    read(Seen.FOUND, RANGE, 30, 31);
    read(Seen.NOT_FOUND, null, 32, 33);
    assertThat(violations()).hasSize(1);
  }

  private void start(KeyHistory started, long at, MemoryRange range) {
    now = at;
    Change start = started.starting();
    now = at + 1;
    started.started(start, range);
  }

  private void store(KeyHistory stored, long at, MemoryRange range) {
    start(stored, at, range);
    now = at + 2;
    Change end = stored.ending();
    now = at + 3;
    stored.done(end);
  }

  private void remove(KeyHistory removed, long at) {
    now = at;
    Change removal = removed.removing();
    now = at + 1;
    removed.done(removal);
  }

  private void read(Seen seen, MemoryRange range, long sent, long done) {
    key.read(new Read(seen, range, 0, sent, done, "m"));
  }

  private List<String> violations() {
    return HistoryChecker.violations(history, QUARANTINE_MS);
  }
}
