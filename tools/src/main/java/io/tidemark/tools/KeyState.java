package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.EntryHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What has become of a key by the end of the log, for people and for programs. */
final class KeyState {

  /** What can have become of a key. */
  enum Kind {
    /** Complete, and readers are shown a replica. */
    PRESENT,
    /** Complete, but readers are shown no replica: its segments left or their owners are silent. */
    HIDDEN,
    /** Being written; readers are shown nothing. */
    UNFINISHED,
    /** It had a record once and has none now. */
    GONE,
    /** No entry names it. */
    UNKNOWN
  }

  private final KeyLife life;
  private final Kind kind;

  private KeyState(KeyLife life, Kind kind) {
    this.life = life;
    this.kind = kind;
  }

  static KeyState of(KeyLife life) {
    if (!life.isKnown()) {
      return new KeyState(life, Kind.UNKNOWN);
    } else if (!life.exists()) {
      return new KeyState(life, Kind.GONE);
    } else if (!life.hasComplete()) {
      return new KeyState(life, Kind.UNFINISHED);
    }
    return new KeyState(life, life.isReadable() ? Kind.PRESENT : Kind.HIDDEN);
  }

  Kind kind() {
    return kind;
  }

  /** The state in one line. */
  String headline() {
    return switch (kind) {
      case UNKNOWN -> "no entry of the log names " + Printable.of(life.key());
      case GONE -> {
        KeyLife.End end = life.lastEnd().orElseThrow();
        yield "gone since " + EntryText.moment(end.at()) + ": " + Ending.text(end.reason());
      }
      case UNFINISHED ->
          "unfinished write since "
              + EntryText.moment(life.writeAt())
              + ", by client "
              + life.writer()
              + "; not readable";
      case HIDDEN ->
          "complete, but hidden from readers"
              + life.departure()
                  .map(away -> " since " + EntryText.moment(away.at()) + ": " + away.text())
                  .orElse("");
      case PRESENT ->
          "present: "
              + EventText.plural(life.start().sizeBytes(), "byte")
              + " in "
              + EventText.plural(life.places().size(), "replica")
              + ", written by client "
              + life.writer()
              + (life.isWriting() ? "; a write is unfinished" : "");
    };
  }

  /** The state in all its lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(headline());
    if (kind == Kind.GONE) {
      KeyLife.End end = life.lastEnd().orElseThrow();
      lines.add("  " + decidedBy(end.at()));
      end.departure()
          .ifPresent(
              away ->
                  lines.add(
                      "  hidden from readers before that, since "
                          + EntryText.moment(away.at())
                          + ": "
                          + away.text()
                          + "; "
                          + decidedBy(away.at())));
    }
    if (life.exists()) {
      lines.add("  write started at " + EntryText.moment(life.startedAt()));
      life.completeAt().ifPresent(at -> lines.add("  complete since " + EntryText.moment(at)));
      life.places().forEach((id, place) -> lines.add("  replica " + id + " " + place + fate(id)));
      life.lastEnd()
          .ifPresent(
              end ->
                  lines.add(
                      "  an earlier copy ended at "
                          + EntryText.moment(end.at())
                          + ": "
                          + Ending.text(end.reason())));
    }
    life.ranges().forEach(range -> lines.add("  memory: " + range.text()));
    return lines;
  }

  private static String decidedBy(EntryHeader at) {
    return "decided by " + EntryText.actor(at) + ", cause " + Cause.nameOf(at.causeCode());
  }

  private String fate(long replicaId) {
    if (!life.isComplete(replicaId)) {
      return ": being written";
    }
    return life.isReadable(replicaId) ? ": readable" : ": hidden from readers";
  }

  /** The state as one JSON object. */
  ObjectNode json() {
    ObjectNode node = EventJson.object();
    node.put("type", "state");
    EventJson.put(life.key(), node);
    node.put("state", kind.name().toLowerCase(Locale.ROOT));
    node.put("text", headline());
    life.lastEnd()
        .ifPresent(end -> putEnd(end, kind == Kind.GONE ? node : node.putObject("earlier_end")));
    if (life.exists()) {
      putCopy(node);
    }
    ArrayNode ranges = node.putArray("ranges");
    life.ranges().forEach(range -> range.put(ranges.addObject()));
    return node;
  }

  private static void putEnd(KeyLife.End end, ObjectNode node) {
    EntryText.put(end.at(), node);
    node.put("event", "REPLICAS_DROPPED");
    node.put("ending", Ending.of(end.reason()).word());
    EventJson.put(end.reason(), node);
    end.departure()
        .ifPresent(
            away -> {
              ObjectNode before = node.putObject("hidden_before");
              EntryText.put(away.at(), before);
              before.put("text", away.text());
            });
  }

  private void putCopy(ObjectNode node) {
    node.put("size_bytes", life.start().sizeBytes());
    node.put("writer", life.writer().toString());
    node.put("started_index", life.startedAt().index());
    node.put("writing", life.isWriting());
    life.completeAt().ifPresent(at -> node.put("complete_index", at.index()));
    life.departure()
        .filter(away -> kind == Kind.HIDDEN)
        .ifPresent(away -> node.put("hidden_since_index", away.at().index()));
    ArrayNode replicas = node.putArray("replicas");
    life.places()
        .forEach(
            (id, place) -> {
              ObjectNode replica = replicas.addObject();
              replica.put("id", id);
              replica.put("place", place);
              replica.put("complete", life.isComplete(id));
              replica.put("readable", life.isReadable(id));
            });
  }
}
