package io.tidemark.server.config;

/** What a flag does in this version. */
public enum FlagStatus {
  /** Works as described. */
  SERVED("works"),
  /** Works, with a limit that the description names. */
  PARTLY("works in part"),
  /** Accepted; the part of Mooncake that it steers is not there yet. */
  LATER("accepted, no effect yet"),
  /** Accepted; it has no meaning in this design, the description says what takes its place. */
  REPLACED("accepted, no meaning here"),
  /** Turning it on is refused at start. */
  REFUSED("refused when on");

  private final String words;

  FlagStatus(String words) {
    this.words = words;
  }

  /** The status as a phrase for people. */
  public String words() {
    return words;
  }
}
