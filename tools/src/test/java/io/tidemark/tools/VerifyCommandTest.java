package io.tidemark.tools;

import static io.tidemark.tools.Scenario.C2;
import static io.tidemark.tools.Scenario.KIB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.EntryPlace;
import io.tidemark.oplog.LogOptions;
import io.tidemark.oplog.LogReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code log verify} finds, and how the other commands bear damage. */
class VerifyCommandTest {
  @TempDir Path directory;

  private Cli.Result verify() {
    return Cli.log(directory, "verify");
  }

  @Test
  void aStoppedLogIsSoundAndItsDigestAgrees() {
    Scenario.in(directory).put("a").put("b").remove("a", false).putStart(C2, "c", KIB).stop();
    Cli.Result result = verify();
    assertThat(result.status()).as(result.out()).isEqualTo(ExitStatus.OK);
    assertThat(result.out())
        .contains("end         entry 9, epoch 1, chain hash ")
        .contains("clean stop  entry 9, epoch 1")
        .contains("2 objects, 1 segment, 1 client, 0 ranges in quarantine, 1 unfinished write")
        .contains("1 recorded digest compared")
        .contains("verdict     sound");
    JsonNode node = Cli.log(directory, "verify", "--json").json().get(0);
    assertThat(node.get("sound").asBoolean()).isTrue();
    assertThat(node.get("objects").asInt()).isEqualTo(2);
    assertThat(node.get("end_index").asInt()).isEqualTo(9);
    assertThat(node.get("digests_compared").asInt()).isEqualTo(1);
    assertThat(node.get("damage")).isEmpty();
  }

  @Test
  void aRunningMastersLogIsReadWithoutDisturbingIt() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("a");
      Cli.Result result = verify();
      assertThat(result.status()).as(result.out()).isEqualTo(ExitStatus.OK);
      assertThat(result.out()).contains("clean stop  no mark");
      long digest = scenario.master().view().stateDigest();
      assertThat(result.out()).contains("digest      " + EventText.digest(digest));
      scenario.put("b");
      assertThat(verify().out()).contains("2 objects");
    }
  }

  @Test
  void everyTermOfARestartedLogIsReplayed() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("a").crashAndRestart().put("b").advance(2_000);
      Cli.Result result = verify();
      assertThat(result.status()).as(result.out()).isEqualTo(ExitStatus.OK);
      assertThat(result.out()).contains("2 segment files").contains("epoch 2");
      long digest = scenario.master().view().stateDigest();
      assertThat(result.out()).contains(EventText.digest(digest));
    }
  }

  @Test
  void aFlippedBitInTheMiddleIsNamedWithFileAndOffset() throws IOException {
    Scenario.in(directory).put("a").put("b").stop();
    EntryPlace place = places().get(3);
    flip(place.file(), place.offsetBytes() + 4 + 80);
    Cli.Result result = verify();
    assertThat(result.status()).isEqualTo(ExitStatus.DAMAGED);
    assertThat(result.out())
        .contains("damage      corrupt: " + place.file() + ", offset " + place.offsetBytes())
        .contains("entry 4: ")
        .contains("A start refuses this log")
        .contains("verdict     damaged");
    Cli.Result dump = Cli.log(directory, "dump");
    assertThat(dump.status()).isEqualTo(ExitStatus.DAMAGED);
    assertThat(dump.lines()).as("what lies before the damage").hasSize(4);
    assertThat(dump.err()).contains("damaged behind entry 3");
    Cli.Result explain = Cli.log(directory, "explain", "a");
    assertThat(explain.status()).isEqualTo(ExitStatus.DAMAGED);
    assertThat(explain.out()).contains("unfinished write since entry 3");
    assertThat(Cli.log(directory, "explain", "b").status()).isEqualTo(ExitStatus.DAMAGED);
  }

  @Test
  void aTornTailIsNamedAndKeepsWhatIsBeforeIt() throws IOException {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("a").put("b");
    }
    List<EntryPlace> places = places();
    EntryPlace last = places.get(places.size() - 1);
    flip(last.file(), last.offsetBytes() + 4 + 80);
    Cli.Result result = verify();
    assertThat(result.status()).isEqualTo(ExitStatus.DAMAGED);
    assertThat(result.out())
        .contains("damage      torn tail: " + last.file() + ", offset " + last.offsetBytes())
        .contains("a start cuts the log there")
        .contains("2 objects");
  }

  @Test
  void aLostEndIsSeenByTheCleanStopMark() throws IOException {
    Scenario.in(directory).put("a").crashAndRestart().put("b").stop();
    List<EntryPlace> places = places();
    Files.delete(places.get(places.size() - 1).file());
    Cli.Result result = verify();
    assertThat(result.status()).isEqualTo(ExitStatus.DAMAGED);
    assertThat(result.out())
        .contains("the log was stopped at entry 8 and now ends at entry 4: entries are missing");
  }

  @Test
  void aBatchWithoutAnEndIsToldAndLeftOut() {
    Scenario.in(directory).put("a").stop();
    append(false, new Event.Tick());
    Cli.Result result = verify();
    assertThat(result.status()).as(result.out()).isEqualTo(ExitStatus.OK);
    assertThat(result.out()).contains("unfinished  1 entries of a batch without an end");
    Cli.Result dump = Cli.log(directory, "dump");
    assertThat(dump.err()).contains("has no end: a master is writing it, or died there");
    assertThat(dump.lines().get(dump.lines().size() - 1)).contains("time passes");
  }

  @Test
  void aDigestThatTheEventsDoNotGiveIsDamage() {
    Scenario.in(directory).put("a").stop();
    append(true, new Event.StateDigest(0xabcd, 7));
    Cli.Result result = verify();
    assertThat(result.status()).isEqualTo(ExitStatus.DAMAGED);
    assertThat(result.out())
        .contains("records state digest 000000000000abcd of 7 objects, the replay up to here has")
        .contains("entry 6: ");
  }

  @Test
  void anEventThatDoesNotFitTheStateIsDamage() {
    Scenario.in(directory).put("a").stop();
    append(true, new Event.SegmentUnmounted(99));
    Cli.Result result = verify();
    assertThat(result.status()).isEqualTo(ExitStatus.DAMAGED);
    assertThat(result.out())
        .contains("its bytes are intact, but it does not fit the state before it")
        .contains("99");
  }

  @Test
  void anEntryOfANewerVersionIsNotCalledDamage() {
    Scenario.in(directory).put("a").stop();
    appendBytes(true, new byte[] {63, 1});
    for (String command : List.of("verify", "dump")) {
      Cli.Result result = Cli.log(directory, command);
      assertThat(result.status()).as(command).isEqualTo(ExitStatus.NO_LOG);
      assertThat(result.err()).contains("newer version");
    }
  }

  @Test
  void anIntactEntryThatHoldsNoEventsIsNamed() {
    Scenario.in(directory).put("a").stop();
    appendBytes(true, new byte[] {21, 1, 0});
    assertThat(verify().status()).isEqualTo(ExitStatus.DAMAGED);
    Cli.Result dump = Cli.log(directory, "dump");
    assertThat(dump.status()).isEqualTo(ExitStatus.DAMAGED);
    assertThat(dump.err()).contains("entry 6: its checksum fits, but it holds no events");
  }

  @Test
  void whereThereIsNoLogTheMessageSaysWhatToName(@TempDir Path empty) throws IOException {
    Cli.Result missing = Cli.log(empty.resolve("nowhere"), "verify");
    assertThat(missing.status()).isEqualTo(ExitStatus.NO_LOG);
    assertThat(missing.err()).contains("nowhere does not exist; name the master's data directory");
    Cli.Result nothing = Cli.log(empty, "explain", "k");
    assertThat(nothing.status()).isEqualTo(ExitStatus.NO_LOG);
    assertThat(nothing.err()).contains("holds no log");
    Files.writeString(empty.resolve("FORMAT"), "tidemark-log 99\n");
    assertThat(Cli.log(empty, "dump").status()).isEqualTo(ExitStatus.NO_LOG);
  }

  private List<EntryPlace> places() {
    List<EntryPlace> places = new ArrayList<>();
    LogReader.open(directory).read(1, (entry, place) -> places.add(place));
    return places;
  }

  private static void flip(Path file, long offset) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, offset);
      one.put(0, (byte) (one.get(0) ^ 0x10)).rewind();
      channel.write(one, offset);
    }
  }

  private void append(boolean batchEnd, Event event) {
    EventBuffer buffer = new EventBuffer(64);
    EventCodec.write(event, buffer);
    byte[] payload = Arrays.copyOf(buffer.array(), buffer.position());
    appendBytes(batchEnd, payload);
  }

  private void appendBytes(boolean batchEnd, byte[] payload) {
    ChronicleLog log = ChronicleLog.open(LogOptions.defaults(directory)).log();
    EntryHeader header =
        new EntryHeader(log.end().index() + 1, 1, 9_999, 0, 1010, Uuid.ZERO, batchEnd);
    log.append(header, payload, 0, payload.length);
    log.close(false);
  }
}
