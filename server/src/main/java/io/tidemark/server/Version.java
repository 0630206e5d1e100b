package io.tidemark.server;

import java.util.Optional;

/** Which build this is. */
public final class Version {

  private Version() {}

  /** For people, and for the admin port's {@code display_version}. */
  public static String display() {
    String built = Version.class.getPackage().getImplementationVersion();
    return "tidemark " + Optional.ofNullable(built).orElse("development build");
  }
}
