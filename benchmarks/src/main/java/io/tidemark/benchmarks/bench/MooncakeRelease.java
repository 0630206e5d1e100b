package io.tidemark.benchmarks.bench;

import io.tidemark.wire.schema.WireProfile;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The releases whose form of the protocol the load can have, by the names of their packages. */
enum MooncakeRelease {
  V0_3_10_POST2("0.3.10.post2", WireProfile.V0_3_10_POST2),
  V0_3_11_POST1("0.3.11.post1", WireProfile.V0_3_11_POST1),
  V0_3_12_POST1("0.3.12.post1", WireProfile.V0_3_12_POST1),
  V0_3_13_POST1("0.3.13.post1", WireProfile.MAIN),
  V0_3_14("0.3.14", WireProfile.V0_3_14);

  private final String version;
  private final WireProfile profile;

  MooncakeRelease(String version, WireProfile profile) {
    this.version = version;
    this.profile = profile;
  }

  /** The release of that name, with or without a leading "v". */
  static Optional<MooncakeRelease> of(String name) {
    String wanted = name.startsWith("v") ? name.substring(1) : name;
    return Arrays.stream(values()).filter(r -> r.version.equals(wanted)).findFirst();
  }

  /** All names, for messages. */
  static String names() {
    return Arrays.stream(values()).map(r -> r.version).collect(Collectors.joining(", "));
  }

  WireProfile profile() {
    return profile;
  }

  @Override
  public String toString() {
    return version;
  }
}
