package io.tidemark.wire;

import io.tidemark.wire.schema.WireProfile;
import java.util.EnumSet;
import java.util.Set;

/** Sets of releases as bit masks of {@link WireProfile#bit}. */
final class ProfileSet {

  private static final WireProfile[] PROFILES = WireProfile.values();

  /** Every release: nothing is known. */
  static final int ALL = (1 << PROFILES.length) - 1;

  /** The releases that take main's answers to every call. */
  static final int NEWEST_FORM = WireProfile.MAIN.bit() | WireProfile.V0_3_14.bit();

  private ProfileSet() {}

  /** Whether all releases of the set take the same answers to every call. */
  static boolean decisive(int profiles) {
    return Integer.bitCount(profiles) == 1 || (profiles & ~NEWEST_FORM) == 0;
  }

  /** A decisive set, widened to every release that takes the same answers. */
  static int answersOf(int decisive) {
    return (decisive & ~NEWEST_FORM) == 0 ? NEWEST_FORM : decisive;
  }

  /** All releases that take the same answers as {@code profile}. */
  static int sameAnswers(WireProfile profile) {
    return (profile.bit() & NEWEST_FORM) != 0 ? NEWEST_FORM : profile.bit();
  }

  static boolean contains(int profiles, WireProfile profile) {
    return (profiles & profile.bit()) != 0;
  }

  /** The newest release of a set that is not empty. */
  static WireProfile newest(int profiles) {
    return PROFILES[Integer.SIZE - 1 - Integer.numberOfLeadingZeros(profiles)];
  }

  static Set<WireProfile> toSet(int profiles) {
    EnumSet<WireProfile> set = EnumSet.noneOf(WireProfile.class);
    for (WireProfile profile : PROFILES) {
      if (contains(profiles, profile)) {
        set.add(profile);
      }
    }
    return set;
  }
}
