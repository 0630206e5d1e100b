package io.tidemark.wire.schema;

import io.tidemark.wire.schema.WireType.Field;
import io.tidemark.wire.schema.WireType.Struct;
import java.util.List;
import java.util.Optional;

/** Arguments and result of a call in one release, with the forms in which they travel. */
public final class Signature {

  private final List<Field> arguments;
  private final Optional<TypeForm> request;
  private final TypeForm result;

  Signature(List<Field> arguments, WireType result) {
    this.arguments = List.copyOf(arguments);
    this.request = requestType(this.arguments).map(TypeForm::of);
    this.result = TypeForm.of(result);
  }

  /** Several arguments travel as one tuple, a single one as itself (coro-rpc wire, section 5.1). */
  private static Optional<WireType> requestType(List<Field> arguments) {
    return switch (arguments.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(arguments.get(0).type());
      default -> Optional.of(new Struct("arguments", arguments, List.of()));
    };
  }

  public List<Field> arguments() {
    return arguments;
  }

  /** Form of the request, empty for a call without arguments, whose body is empty. */
  public Optional<TypeForm> request() {
    return request;
  }

  public TypeForm result() {
    return result;
  }
}
