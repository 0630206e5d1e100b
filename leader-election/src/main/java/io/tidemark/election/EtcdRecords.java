package io.tidemark.election;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Values of our keys: a line with kind and version, then {@code name=value} lines, so that {@code
 * etcdctl get} shows them to people. Fields that a release doesn't know are skipped; what changes
 * the meaning gets another version.
 */
final class EtcdRecords {
  private static final String LEADER = "tidemark-leader 1";
  private static final String IN_SYNC = "tidemark-in-sync 1";

  private EtcdRecords() {}

  static ByteSequence leader(Member member, long epoch, String replicationAddress) {
    return EtcdKeys.bytes(
        LEADER
            + "\nmember="
            + text(member)
            + "\nepoch="
            + epoch
            + "\nreplication="
            + replicationAddress
            + "\n");
  }

  static LeaderInfo leader(KeyValue pair) {
    List<String> lines = lines(pair, LEADER);
    return new LeaderInfo(
        member(pair, only(pair, lines, "member")),
        number(pair, only(pair, lines, "epoch")),
        only(pair, lines, "replication"),
        pair.getCreateRevision());
  }

  static ByteSequence inSync(MembershipRecord record) {
    StringBuilder text = new StringBuilder(IN_SYNC);
    text.append("\ncluster=").append(record.cluster());
    text.append("\nepoch=").append(record.epoch());
    text.append("\nleader=").append(text(record.leader()));
    for (Member member : record.inSync()) {
      text.append("\nmember=").append(text(member));
    }
    if (record.forcedEpoch() != 0) {
      text.append("\nforced=").append(record.forcedEpoch());
    }
    return EtcdKeys.bytes(text.append('\n').toString());
  }

  static MembershipRecord inSync(KeyValue pair) {
    List<String> lines = lines(pair, IN_SYNC);
    List<Member> members = new ArrayList<>();
    for (String value : all(lines, "member")) {
      members.add(member(pair, value));
    }
    return new MembershipRecord(
        uuid(pair, only(pair, lines, "cluster")),
        number(pair, only(pair, lines, "epoch")),
        member(pair, only(pair, lines, "leader")),
        members,
        pair.getModRevision(),
        all(lines, "forced").isEmpty() ? 0 : number(pair, only(pair, lines, "forced")));
  }

  private static String text(Member member) {
    return member.node() + "/" + member.incarnation();
  }

  private static List<String> lines(KeyValue pair, String kind) {
    List<String> lines = pair.getValue().toString(StandardCharsets.UTF_8).lines().toList();
    if (lines.isEmpty() || !lines.get(0).equals(kind)) {
      throw unreadable(pair, "it does not begin with \"" + kind + "\"");
    }
    return lines;
  }

  private static List<String> all(List<String> lines, String name) {
    String start = name + "=";
    return lines.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .toList();
  }

  private static String only(KeyValue pair, List<String> lines, String name) {
    List<String> found = all(lines, name);
    if (found.size() != 1) {
      throw unreadable(pair, "it has " + found.size() + " lines " + name + "=");
    }
    return found.get(0);
  }

  private static Member member(KeyValue pair, String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw unreadable(pair, "\"" + text + "\" is not NODE/INCARNATION");
    }
    return new Member(uuid(pair, text.substring(0, slash)), uuid(pair, text.substring(slash + 1)));
  }

  private static UUID uuid(KeyValue pair, String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw unreadable(pair, "\"" + text + "\" is not a UUID");
    }
  }

  private static long number(KeyValue pair, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw unreadable(pair, "\"" + text + "\" is not a number");
    }
  }

  private static UnreadableRecordException unreadable(KeyValue pair, String why) {
    return new UnreadableRecordException(
        "key "
            + pair.getKey().toString(StandardCharsets.UTF_8)
            + " holds no record that this release can read: "
            + why
            + "; was it written by a newer release?");
  }

  /** A value of one of our keys that isn't ours, or is from a later release. */
  static final class UnreadableRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableRecordException(String message) {
      super(message);
    }
  }
}
