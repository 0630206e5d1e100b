package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Uuid;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.rpc.Rpc;
import java.time.Instant;
import java.util.Locale;

/** What an entry says about itself, for people and for programs. */
final class EntryText {

  /** Who can cause an entry. */
  enum ActorKind {
    CLIENT,
    OPERATOR,
    MASTER
  }

  private EntryText() {}

  static ActorKind actorKind(EntryHeader header) {
    if (header.causeCode() == Cause.of(Cause.Trigger.ADMIN)) {
      return ActorKind.OPERATOR;
    }
    boolean call = header.causeCode() > 0 && header.causeCode() <= Rpc.values().length;
    return call ? ActorKind.CLIENT : ActorKind.MASTER;
  }

  /** Who caused an entry. Calls without a client id, such as Remove, leave their caller unnamed. */
  static String actor(EntryHeader header) {
    boolean named = !header.actor().equals(Uuid.ZERO);
    return switch (actorKind(header)) {
      case CLIENT -> named ? "client " + header.actor() : "a client (the call names none)";
      case OPERATOR -> named ? "an operator for client " + header.actor() : "an operator";
      case MASTER -> "the master";
    };
  }

  static String wallTime(EntryHeader header) {
    return Instant.ofEpochMilli(header.wallTimeMs()).toString();
  }

  /** The columns of an entry in front of an event. */
  static String columns(EntryHeader header) {
    return header.index()
        + "  epoch "
        + header.epoch()
        + "  commit "
        + header.commitIndex()
        + "  "
        + header.logTimeMs()
        + " ms  "
        + wallTime(header)
        + "  "
        + Cause.nameOf(header.causeCode())
        + "  "
        + actor(header);
  }

  /** An entry as a point in time, for example {@code entry 7 (2026-…Z, log time 1200 ms)}. */
  static String moment(EntryHeader header) {
    return "entry "
        + header.index()
        + " ("
        + wallTime(header)
        + ", log time "
        + header.logTimeMs()
        + " ms, epoch "
        + header.epoch()
        + ")";
  }

  /** Adds an entry's own fields to a JSON object. */
  static void put(EntryHeader header, ObjectNode node) {
    node.put("index", header.index());
    node.put("epoch", header.epoch());
    node.put("commit_index", header.commitIndex());
    node.put("log_time_ms", header.logTimeMs());
    node.put("wall_time", wallTime(header));
    node.put("cause", Cause.nameOf(header.causeCode()));
    node.put("actor_kind", actorKind(header).name().toLowerCase(Locale.ROOT));
    node.put("actor", header.actor().equals(Uuid.ZERO) ? null : header.actor().toString());
  }
}
