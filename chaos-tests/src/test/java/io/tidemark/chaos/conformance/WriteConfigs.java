package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.ReplicateConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What writers ask for, so that there is only one place to put it; and what they may not ask. */
final class WriteConfigs {
  private static final long DAY_MS = 86_400_000;

  private final Cast cast;
  private final Dice dice;
  private final boolean grouped;

  WriteConfigs(Cast cast, boolean grouped) {
    this.cast = cast;
    this.dice = cast.dice;
    this.grouped = grouped;
  }

  /** A legal one for so many keys. */
  ReplicateConfig legal(int keyCount) {
    List<String> names = cast.placeable();
    int replicas = names.size() >= 2 && dice.oneIn(4) ? 2 : 1;
    List<String> preferred = new ArrayList<>();
    if (dice.oneIn(6)) {
      preferred.add("no-such-host:1");
    }
    while (preferred.stream().filter(names::contains).count() < Math.min(replicas, names.size())) {
      String name = dice.of(names);
      if (!preferred.contains(name)) {
        preferred.add(name);
      }
    }
    boolean single = preferred.size() == 1 && dice.oneIn(3);
    int action = dice.oneIn(2) ? 0 : dice.below(3);
    return new ReplicateConfig(
        replicas,
        0,
        0,
        action,
        action == 1 ? pinTtl() : OptionalLong.empty(),
        dice.oneIn(8),
        single ? List.of("ignored:1") : preferred,
        single ? preferred.get(0) : "",
        List.of(),
        false,
        dice.below(10),
        "",
        groups(keyCount));
  }

  private OptionalLong pinTtl() {
    return switch (dice.below(4)) {
      case 0 -> OptionalLong.empty();
      case 1 -> OptionalLong.of(0);
      default -> OptionalLong.of(dice.below(1_000_000));
    };
  }

  private Optional<List<String>> groups(int keyCount) {
    if (!grouped || !dice.oneIn(3)) {
      return Optional.empty();
    }
    List<String> groups = new ArrayList<>();
    for (int i = 0; i < keyCount; i++) {
      groups.add(dice.oneIn(3) ? "" : dice.of(cast.groups));
    }
    return Optional.of(groups);
  }

  /** One that every release refuses, for one reason or another. */
  ReplicateConfig illegal(int keyCount) {
    ReplicateConfig fine = legal(keyCount);
    return switch (dice.below(9)) {
      case 0 -> numbers(fine, 0, 0, 0);
      case 1 -> numbers(fine, 1, 1, 0);
      case 2 -> numbers(fine, 1, 0, 1);
      case 3 -> numbers(fine, 1, 0, 2);
      case 4 -> numbers(fine, 0, 0, 1);
      case 5 -> pin(fine, 0, OptionalLong.of(0));
      case 6 -> pin(fine, 2, OptionalLong.of(5));
      case 7 -> pin(fine, 1, OptionalLong.of(dice.oneIn(2) ? 30 * DAY_MS : -1));
      default ->
          dice.oneIn(2)
              ? pin(fine, 3 + dice.below(200), OptionalLong.empty())
              : misgrouped(fine, keyCount);
    };
  }

  private ReplicateConfig numbers(ReplicateConfig c, long memory, long nof, long dfs) {
    return new ReplicateConfig(
        memory,
        nof,
        dfs,
        c.softPinAction(),
        c.softPinTtlMs(),
        c.hardPin(),
        c.preferredSegments(),
        c.preferredSegment(),
        c.preferredNofSegments(),
        c.preferAllocInSameNode(),
        c.dataType(),
        c.hostId(),
        c.groupIds());
  }

  private static ReplicateConfig pin(ReplicateConfig c, int action, OptionalLong ttlMs) {
    return new ReplicateConfig(
        c.replicaNum(),
        0,
        0,
        action,
        ttlMs,
        c.hardPin(),
        c.preferredSegments(),
        c.preferredSegment(),
        List.of(),
        false,
        c.dataType(),
        "",
        c.groupIds());
  }

  private static ReplicateConfig misgrouped(ReplicateConfig c, int keyCount) {
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < keyCount + 1; i++) {
      wrong.add("g-one");
    }
    return new ReplicateConfig(
        c.replicaNum(),
        0,
        0,
        c.softPinAction(),
        c.softPinTtlMs(),
        c.hardPin(),
        c.preferredSegments(),
        c.preferredSegment(),
        List.of(),
        false,
        c.dataType(),
        "",
        Optional.of(wrong));
  }
}
