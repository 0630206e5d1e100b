package io.tidemark.testkit.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntriesRemovedException;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.RecordRefusedException;
import io.tidemark.api.log.RecordRefusedException.Why;
import io.tidemark.api.log.ReplicaLog;
import io.tidemark.api.log.TruncationRefusedException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link ReplicaLog} promises beside {@link OperationLogContract}: a leader's log, from
 * which records are shipped, and a follower's, which takes them.
 */
public abstract class ReplicaLogContract {
  private final List<ReplicaLog> opened = new ArrayList<>();
  private ReplicaLog leader;
  private ReplicaLog follower;

  /** Opens the log of {@code node}: an empty one at first, later what the last one left. */
  protected abstract ReplicaLog openLog(String node);

  /** Lets the process of {@code node} die, so that {@link #openLog} finds what a new one would. */
  protected abstract void crash(String node, ReplicaLog running);

  /** Returns once everything up to {@code index}, whose batch was ended, is durable. */
  protected abstract void awaitDurable(ReplicaLog running, long index);

  /** Removes entries below {@code index}, if the log removes that few. */
  protected abstract void removeBefore(ReplicaLog running, long index);

  @BeforeEach
  void openLogs() {
    leader = open("leader");
    follower = open("follower");
  }

  @AfterEach
  void closeLogs() {
    opened.forEach(ReplicaLog::close);
  }

  @Test
  void aFollowerHasTheLeadersRecordsByteForByte() {
    appendBatches(leader, 1, 20);
    leader.noteCommit(20);
    appendBatches(leader, 3, 10);
    ship(leader, follower, 700);
    assertThat(follower.end()).isEqualTo(leader.end());
    assertThat(hex(follower)).isEqualTo(hex(leader));
    for (long index = 0; index <= 30; index++) {
      assertThat(follower.positionAt(index)).isEqualTo(leader.positionAt(index)).isPresent();
    }
    assertThat(entries(follower)).usingRecursiveComparison().isEqualTo(entries(leader));
    assertThat(follower.positionAt(31)).isEmpty();
    awaitDurable(follower, 30);
    assertThat(follower.durableIndex()).isEqualTo(30);
    assertThat(reopen("follower", follower).end()).isEqualTo(leader.end());
  }

  @Test
  void readingStopsAtTheBytesAndAtTheReadersWord() {
    appendBatches(leader, 1, 10);
    List<byte[]> all = new ArrayList<>();
    leader.readRecords(1, Integer.MAX_VALUE, (header, chain, record) -> all.add(record));
    int two = all.get(2).length + all.get(3).length;
    assertThat(indexes(leader, 3, two)).containsExactly(3L, 4L);
    assertThat(indexes(leader, 3, two - 1)).containsExactly(3L);
    assertThat(indexes(leader, 4, two)).startsWith(4L, 5L);
    assertThat(indexes(leader, 3, 0)).as("one always").containsExactly(3L);
    assertThat(indexes(leader, 11, 1000)).isEmpty();
    List<Long> seen = new ArrayList<>();
    leader.readRecords(
        2,
        Integer.MAX_VALUE,
        (header, chain, record) -> {
          seen.add(header.index());
          assertThat(leader.positionAt(header.index()))
              .contains(new LogPosition(header.epoch(), header.index(), chain));
          return header.index() < 4;
        });
    assertThat(seen).containsExactly(2L, 3L, 4L);
  }

  /** COR-26: what was removed is said to be so; it is no failure. */
  @Test
  void whoReadsOnGetsWhatAReadGives() {
    appendBatches(leader, 1, 10);
    List<LogEntry> all = new ArrayList<>();
    leader.read(1, all::add);
    List<LogEntry> piecewise = new ArrayList<>();
    for (int next = 1; next <= all.size(); next = piecewise.size() + 1) {
      int last = piecewise.size() + 3;
      leader.readOn(
          next,
          entry -> {
            piecewise.add(entry);
            return piecewise.size() < last;
          });
    }
    assertThat(piecewise).usingRecursiveComparison().isEqualTo(all);
  }

  @Test
  void cor26RemovedEntriesAreSaidToBe() {
    appendBatches(leader, 1, 10);
    leader.endBatch();
    leader.noteCommit(10);
    appendBatches(leader, 2, 10);
    removeBefore(leader, 11);
    assertThat(leader.base().index()).isPositive();
    long base = leader.base().index();
    assertThat(indexes(leader, base + 1, Integer.MAX_VALUE)).hasSize((int) (20 - base));
    EntriesRemovedException gone =
        catchThrowableOfType(
            EntriesRemovedException.class, () -> indexes(leader, base, Integer.MAX_VALUE));
    assertThat(gone.base()).isEqualTo(leader.base());
    assertThat(leader.positionAt(base)).contains(leader.base());
    assertThat(leader.positionAt(base - 1)).isEmpty();
  }

  /** COR-19: a record is taken only behind the very history that it was written behind. */
  @Test
  void cor19ARecordThatDoesNotFollowIsRefused() {
    appendBatches(leader, 2, 3);
    List<byte[]> records = records(leader, 1);
    refused(Why.NOT_NEXT, records.get(1));
    take(records.get(0));
    refused(Why.NOT_NEXT, records.get(0));
    refused(Why.NOT_NEXT, records.get(2));
    ReplicaLog other = open("other");
    other.append(header(1, 2, true), new byte[] {9}, 0, 1);
    other.append(header(2, 2, true), new byte[] {9}, 0, 1);
    refused(Why.OTHER_HISTORY, records(other, 2).get(0));
    take(records.get(1));
    assertThat(follower.end()).isEqualTo(leader.positionAt(2).orElseThrow());
  }

  @Test
  void aDamagedRecordIsRefusedAndChangesNothing() {
    appendBatches(leader, 1, 2);
    take(records(leader, 1).get(0));
    LogPosition end = follower.end();
    byte[] sound = records(leader, 2).get(0);
    for (int at = 0; at < sound.length; at++) {
      byte[] damaged = sound.clone();
      damaged[at] ^= 0x10;
      refused(Why.DAMAGED, damaged);
    }
    for (int length = 0; length < sound.length; length++) {
      int shorter = length;
      assertThatThrownBy(() -> follower.appendRecord(sound, 0, shorter))
          .isInstanceOf(RecordRefusedException.class);
    }
    assertThat(follower.end()).isEqualTo(end);
    byte[] inside = new byte[sound.length + 9];
    System.arraycopy(sound, 0, inside, 5, sound.length);
    follower.appendRecord(inside, 5, sound.length);
    assertThat(follower.end()).isEqualTo(leader.end());
  }

  /** COR-18: an accepted epoch is on the disk, and no lower one writes after it. */
  @Test
  void cor18AnAcceptedEpochHoldsAcrossAStart() {
    appendBatches(leader, 3, 2);
    assertThat(leader.acceptedEpoch()).isEqualTo(3);
    leader.acceptEpoch(3);
    leader.acceptEpoch(8);
    leader = reopen("leader", leader);
    assertThat(leader.acceptedEpoch()).isEqualTo(8);
    assertThatThrownBy(() -> leader.acceptEpoch(7)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> leader.append(header(3, 7, true), new byte[1], 0, 1))
        .isInstanceOf(LogFailureException.class);
  }

  /** A standby that joined a later term still gets the entries of earlier ones. */
  @Test
  void entriesOfEarlierTermsAreTakenInALaterOne() {
    appendBatches(leader, 1, 5);
    appendBatches(leader, 4, 5);
    follower.acceptEpoch(6);
    ship(leader, follower, 100);
    assertThat(follower.end()).isEqualTo(leader.end());
    assertThat(follower.acceptedEpoch()).isEqualTo(6);
    appendBatches(follower, 6, 1);
  }

  /** COR-20: entries carry what was known to be committed when they were written. */
  @Test
  void cor20EntriesCarryTheCommitIndex() {
    appendBatches(leader, 1, 4);
    assertThat(leader.knownCommit()).isZero();
    leader.noteCommit(3);
    leader.noteCommit(2);
    assertThat(leader.knownCommit()).isEqualTo(3);
    EntryHeader said = header(5, 1, true).withCommitIndex(1_000_000);
    leader.append(said, new byte[1], 0, 1);
    leader.endBatch();
    assertThat(entries(leader))
        .extracting(entry -> entry.header().commitIndex())
        .containsExactly(0L, 0L, 0L, 0L, 3L);
    ship(leader, follower, 100);
    assertThat(follower.knownCommit()).isEqualTo(3);
    follower.noteCommit(5);
    assertThat(reopen("follower", follower).knownCommit()).as("as carried").isEqualTo(3);
    assertThat(reopen("leader", leader).knownCommit()).isEqualTo(3);
  }

  /** COR-20, COR-21. */
  @Test
  void cor20TheUncommittedEndCanBeCutAndReplaced() {
    appendBatches(leader, 1, 6);
    ship(leader, follower, 1000);
    follower.noteCommit(4);
    appendBatches(follower, 2, 3);
    LogPosition keep = leader.positionAt(4).orElseThrow();
    ReplicaLog.Truncation done = follower.truncateAfter(keep, false);
    assertThat(done.entriesCut()).isEqualTo(5);
    assertThat(done.end()).isEqualTo(keep).isEqualTo(follower.end());
    assertThat(done.evidence()).isNotEmpty();
    assertThat(follower.durableIndex()).isLessThanOrEqualTo(4);
    assertThat(follower.positionAt(5)).isEmpty();
    assertThat(follower.acceptedEpoch()).as("never falls").isEqualTo(2);
    assertThat(follower.knownCommit()).isEqualTo(4);
    assertThat(indexes(follower, 3, 10_000)).containsExactly(3L, 4L);

    ship(leader, follower, 1000);
    assertThat(hex(follower)).isEqualTo(hex(leader));
    assertThat(follower.truncateAfter(follower.end(), false).entriesCut()).isZero();
    follower = reopen("follower", follower);
    assertThat(follower.end()).isEqualTo(leader.end());
    assertThat(follower.acceptedEpoch()).isEqualTo(2);
    assertThat(entries(follower)).hasSize(6);
  }

  /** COR-20. */
  @Test
  void cor20CommittedEntriesGoOnlyForAForcedBranch() {
    appendBatches(leader, 1, 6);
    leader.noteCommit(5);
    appendBatches(leader, 1, 1);
    leader = reopen("leader", leader);
    LogPosition keep = leader.positionAt(4).orElseThrow();
    assertThatThrownBy(() -> leader.truncateAfter(keep, false))
        .isInstanceOf(TruncationRefusedException.class);
    assertThatThrownBy(() -> leader.restartAt(keep)).isInstanceOf(TruncationRefusedException.class);
    assertThat(leader.end().index()).isEqualTo(7);
    assertThat(leader.truncateAfter(keep, true).entriesCut()).isEqualTo(3);
    assertThat(leader.knownCommit()).isEqualTo(4);
    appendBatches(leader, 2, 1);
    assertThat(entries(leader).get(4).header().commitIndex()).isEqualTo(4);
  }

  @Test
  void aCutElsewhereThanBehindABatchOfThisLogIsRefused() {
    appendBatches(leader, 1, 2);
    leader.append(header(3, 1, false), new byte[1], 0, 1);
    leader.append(header(4, 1, true), new byte[1], 0, 1);
    leader.endBatch();
    LogPosition second = leader.positionAt(2).orElseThrow();
    LogPosition inside = leader.positionAt(3).orElseThrow();
    for (LogPosition wrong :
        List.of(
            inside,
            new LogPosition(second.epoch(), 2, second.chainHash() + 1),
            new LogPosition(second.epoch() + 1, 2, second.chainHash()),
            new LogPosition(1, 9, 5))) {
      assertThatThrownBy(() -> leader.truncateAfter(wrong, false))
          .as("%s", wrong)
          .isInstanceOf(TruncationRefusedException.class);
    }
    assertThat(entries(leader)).hasSize(4);
    leader.truncateAfter(LogPosition.START, false);
    assertThat(leader.end()).isEqualTo(LogPosition.START);
    appendBatches(leader, 1, 1);
    assertThat(entries(leader)).hasSize(1);
  }

  @Test
  void anUnfinishedBatchCanBeCut() {
    appendBatches(leader, 1, 2);
    LogPosition whole = leader.end();
    leader.append(header(3, 1, false), new byte[1], 0, 1);
    assertThatThrownBy(() -> leader.truncateAfter(leader.end(), false))
        .isInstanceOf(TruncationRefusedException.class);
    assertThat(leader.truncateAfter(whole, false).entriesCut()).isEqualTo(1);
    appendBatches(leader, 2, 1);
    assertThat(entries(leader)).hasSize(3);
  }

  /** COR-26. */
  @Test
  void cor26ALogGoesOnBehindAnInstalledSnapshot() {
    appendBatches(follower, 1, 5);
    LogPosition snapshot = new LogPosition(4, 100, 0x1234);
    follower.restartAt(snapshot);
    assertThat(follower.base()).isEqualTo(snapshot).isEqualTo(follower.end());
    assertThat(follower.knownCommit()).isEqualTo(100);
    assertThat(follower.durableIndex()).isEqualTo(100);
    assertThat(entries(follower)).isEmpty();
    follower = reopen("follower", follower);
    assertThat(follower.end()).isEqualTo(snapshot);
    assertThat(follower.knownCommit()).isEqualTo(100);
    appendBatches(follower, 5, 2);
    awaitDurable(follower, 102);
    assertThat(indexes(follower, 101, 1000)).containsExactly(101L, 102L);
    assertThat(reopen("follower", follower).end().index()).isEqualTo(102);
  }

  private ReplicaLog open(String node) {
    ReplicaLog log = openLog(node);
    opened.add(log);
    return log;
  }

  private ReplicaLog reopen(String node, ReplicaLog running) {
    crash(node, running);
    return open(node);
  }

  private void take(byte[] record) {
    follower.appendRecord(record, 0, record.length);
    follower.endBatch();
  }

  private void refused(Why why, byte[] record) {
    LogPosition before = follower.end();
    RecordRefusedException refusal =
        catchThrowableOfType(
            RecordRefusedException.class, () -> follower.appendRecord(record, 0, record.length));
    assertThat(refusal).isNotNull();
    assertThat(refusal.why()).isEqualTo(why);
    assertThat(follower.end()).isEqualTo(before);
  }

  /** Ships what {@code to} lacks of {@code from}, in messages of {@code maxBytes}. */
  private static void ship(ReplicaLog from, ReplicaLog to, int maxBytes) {
    while (to.end().index() < from.end().index()) {
      from.readRecords(
          to.end().index() + 1,
          maxBytes,
          (header, chain, record) -> {
            to.appendRecord(record, 0, record.length);
            if (header.batchEnd()) {
              to.endBatch();
            }
            return true;
          });
    }
  }

  private static List<byte[]> records(ReplicaLog log, long from) {
    List<byte[]> read = new ArrayList<>();
    log.readRecords(from, Integer.MAX_VALUE, (header, chain, record) -> read.add(record));
    return read;
  }

  private static List<String> hex(ReplicaLog log) {
    return records(log, 1).stream().map(HexFormat.of()::formatHex).toList();
  }

  private static List<Long> indexes(ReplicaLog log, long from, int maxBytes) {
    List<Long> read = new ArrayList<>();
    log.readRecords(from, maxBytes, (header, chain, record) -> read.add(header.index()));
    return read;
  }

  private static List<LogEntry> entries(ReplicaLog log) {
    List<LogEntry> read = new ArrayList<>();
    log.read(1, read::add);
    return read;
  }

  private static EntryHeader header(long index, long epoch, boolean batchEnd) {
    return new EntryHeader(index, epoch, index * 10, 0, 1001, Uuid.ZERO, batchEnd);
  }

  private static void appendBatches(ReplicaLog log, long epoch, int count) {
    for (int i = 0; i < count; i++) {
      long index = log.end().index() + 1;
      byte[] payload = new byte[20 + (int) (index % 5)];
      payload[0] = (byte) index;
      payload[1] = (byte) epoch;
      log.append(header(index, epoch, true), payload, 0, payload.length);
      log.endBatch();
    }
  }
}
