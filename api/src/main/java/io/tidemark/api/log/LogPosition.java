package io.tidemark.api.log;

/**
 * A point in a log. Two logs agree up to a point exactly if their positions there are equal
 * (COR-19).
 *
 * @param index last entry up to and including the point, 0 for the empty log
 */
public record LogPosition(long epoch, long index, long chainHash) {

  /** The position before the first entry. */
  public static final LogPosition START = new LogPosition(0, 0, 0);
}
