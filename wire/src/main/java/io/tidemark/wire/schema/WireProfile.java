package io.tidemark.wire.schema;

import io.tidemark.api.rpc.Rpc;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A release whose wire form differs from the others' (coro-rpc wire, sections 0 and 8). Oldest
 * first; the order is used to compare.
 */
public enum WireProfile {
  V0_3_10_POST2("v0.3.10.post2", 10),
  /** Also v0.3.11. */
  V0_3_11_POST1("v0.3.11.post1", 11),
  /** Also v0.3.12, which lacks PollRemoveAll. */
  V0_3_12_POST1("v0.3.12.post1", 12),
  /** v0.3.13.post1, called main in coro-rpc wire. */
  MAIN("main", 13),
  /** Main's answers, with new calls and members that follow a payload. */
  V0_3_14("v0.3.14", 14);

  private final String label;
  private final int minor;

  WireProfile(String label, int minor) {
    this.label = label;
    this.minor = minor;
  }

  /** Name for people, metrics and configuration. */
  public String label() {
    return label;
  }

  /** The bit of this profile in a set of profiles. */
  public int bit() {
    return 1 << ordinal();
  }

  int minor() {
    return minor;
  }

  /** The profile of a {@link #label}; {@code v0.3.13.post1} names {@link #MAIN} too. */
  public static Optional<WireProfile> ofLabel(String label) {
    String wanted = label.equals("v0.3.13.post1") ? MAIN.label : label;
    return Arrays.stream(values()).filter(p -> p.label.equals(wanted)).findFirst();
  }

  /** What this release calls, by RPC; calls that the release does not know are missing. */
  public Map<Rpc, Signature> signatures() {
    return Loaded.BY_PROFILE.get(this);
  }

  /** What this release says for one call, empty if it does not know the call. */
  public Optional<Signature> signature(Rpc rpc) {
    return Optional.ofNullable(signatures().get(rpc));
  }

  /** Read once, when first needed. */
  private static final class Loaded {
    static final Map<WireProfile, Map<Rpc, Signature>> BY_PROFILE =
        Arrays.stream(values())
            .collect(
                Collectors.toMap(
                    p -> p,
                    SchemaFile::signaturesOf,
                    (a, b) -> a,
                    () -> new EnumMap<>(WireProfile.class)));
  }
}
