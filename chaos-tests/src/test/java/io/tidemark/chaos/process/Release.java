package io.tidemark.chaos.process;

/**
 * The Mooncake releases whose unmodified wheels are run. {@code scripts/wheels.sh} installs them.
 */
public enum Release {
  V0_3_10_POST2("0.3.10.post2"),
  V0_3_11_POST1("0.3.11.post1"),
  V0_3_12_POST1("0.3.12.post1"),
  V0_3_13_POST1("0.3.13.post1"),
  V0_3_14("0.3.14");

  private final String version;

  Release(String version) {
    this.version = version;
  }

  /** The release's name as the package registry and {@code scripts/wheel-env} know it. */
  public String version() {
    return version;
  }

  /** The release of that name. */
  public static Release of(String version) {
    for (Release release : values()) {
      if (release.version.equals(version)) {
        return release;
      }
    }
    throw new IllegalArgumentException("no such release: " + version);
  }

  @Override
  public String toString() {
    return version;
  }
}
