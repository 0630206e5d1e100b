package io.tidemark.tools;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.WireText;
import java.util.HexFormat;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options that say how a key on the command line is meant. */
final class KeyScope {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--tenant",
      paramLabel = "TENANT",
      defaultValue = ObjectKey.DEFAULT_TENANT,
      description = "Tenant of the key. Default: ${DEFAULT-VALUE}.")
  private String tenant;

  @Option(
      names = "--hex",
      description = "The key is given as hexadecimal bytes; without this it is text (UTF-8).")
  private boolean hex;

  /** The object that a key on the command line names. */
  ObjectKey objectKey(String key) {
    String wire = hex ? ofHex(key) : WireText.encode(key);
    if (wire.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "a key has at least one byte");
    }
    return new ObjectKey(WireText.encode(tenant), wire);
  }

  private String ofHex(String key) {
    try {
      return WireText.of(HexFormat.of().parseHex(key));
    } catch (IllegalArgumentException notHex) {
      throw new ParameterException(
          spec.commandLine(), "--hex: '" + key + "' is not a row of two-digit hexadecimal bytes");
    }
  }
}
