package io.tidemark.core.segment;

import java.util.ArrayList;
import java.util.List;

/** What the discard list keeps taken, for checks of the accounts. */
public final class DiscardClaims {

  /** A part of a mount. */
  public record Claim(int segmentNumber, long offsetBytes, long blockBytes, long objectBytes) {}

  private DiscardClaims() {}

  public static List<Claim> of(DiscardList discards) {
    List<Claim> claims = new ArrayList<>();
    discards.forEachClaim(
        (segment, offset, block, object) -> claims.add(new Claim(segment, offset, block, object)));
    return claims;
  }
}
