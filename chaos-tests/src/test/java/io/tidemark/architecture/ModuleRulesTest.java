package io.tidemark.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The module rule of docs/architecture.md, on compiled classes. The poms state the same on
 * dependencies; this test also sees what arrives transitively.
 *
 * <p>A class belongs to the module whose folder of compiled classes it lies in, so the rule needs
 * no list of packages. A module that isn't built yet is no violation.
 */
class ModuleRulesTest {

  private static final Path ROOT = Path.of(System.getProperty("tidemark.root", ".."));
  private static final String BUILD = System.getProperty("tidemark.build", "target");

  /** What the main code of each module may import of the others. */
  private static final Map<String, Set<String>> MAY_IMPORT =
      Map.ofEntries(
          Map.entry("api", Set.of()),
          Map.entry("testkit", Set.of("api")),
          Map.entry("oplog", Set.of("api")),
          Map.entry("snapshot", Set.of("api")),
          Map.entry("leader-election", Set.of("api")),
          Map.entry("master-core", Set.of("api")),
          Map.entry("wire", Set.of("api")),
          Map.entry("transfer-native", Set.of("api")),
          Map.entry("client", Set.of("api", "wire", "transfer-native")),
          Map.entry("tools", Set.of("api", "oplog", "snapshot", "master-core", "wire", "client")),
          Map.entry(
              "server",
              Set.of(
                  "api",
                  "oplog",
                  "snapshot",
                  "leader-election",
                  "master-core",
                  "wire",
                  "transfer-native",
                  "client")));

  /** Libraries that only some modules may see, by the beginning of their packages. */
  private static final Map<String, Set<String>> LIBRARY_USERS =
      Map.of(
          "net.openhft.chronicle.", Set.of("oplog"),
          "io.etcd.", Set.of("leader-election"),
          "io.vertx.", Set.of("server", "client"),
          "io.netty.", Set.of("server", "client", "leader-election"),
          "io.micrometer.", Set.of("server"),
          "picocli.", Set.of("tools", "server"));

  /** etcd's client takes certificates in this form; nothing else of Netty is needed there. */
  private static final String CERTIFICATES = "io.netty.handler.ssl.";

  private static final Set<String> COMMAND_LINE_READERS =
      Set.of("io.tidemark.server", "io.tidemark.server.config");

  /** Modules whose answers must depend on nothing but their input. */
  private static final Set<String> DETERMINISTIC = Set.of("api", "master-core");

  /** Owner and method; the method "*" means all of them. */
  private static final Map<String, Set<String>> CLOCKS_AND_DICE =
      Map.ofEntries(
          Map.entry("java.lang.System", Set.of("currentTimeMillis", "nanoTime")),
          Map.entry("java.lang.Math", Set.of("random")),
          Map.entry("java.lang.StrictMath", Set.of("random")),
          Map.entry("java.time.Clock", Set.of("*")),
          Map.entry("java.time.Instant", Set.of("now")),
          Map.entry("java.time.LocalDate", Set.of("now")),
          Map.entry("java.time.LocalDateTime", Set.of("now")),
          Map.entry("java.time.LocalTime", Set.of("now")),
          Map.entry("java.time.OffsetDateTime", Set.of("now")),
          Map.entry("java.time.ZonedDateTime", Set.of("now")),
          Map.entry("java.util.Date", Set.of("<init>")),
          Map.entry("java.util.Random", Set.of("<init>")),
          Map.entry("java.util.SplittableRandom", Set.of("<init>")),
          Map.entry("java.util.UUID", Set.of("randomUUID")),
          Map.entry("java.util.concurrent.ThreadLocalRandom", Set.of("*")),
          Map.entry("java.security.SecureRandom", Set.of("*")));

  private static final Set<String> EMPTY_WORDS =
      Set.of("util", "utils", "common", "manager", "helper", "helpers", "impl");

  private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

  /** Module name to its main classes. */
  private static final Map<String, JavaClasses> modules = new TreeMap<>();

  /** Class name to the module it lies in. */
  private static final Map<String, String> moduleOf = new HashMap<>();

  @BeforeAll
  static void importModules() {
    for (String module : MAY_IMPORT.keySet()) {
      Path classes = ROOT.resolve(module).resolve(BUILD).resolve("classes");
      if (Files.isDirectory(classes)) {
        JavaClasses imported = new ClassFileImporter().importPath(classes);
        modules.put(module, imported);
        imported.forEach(c -> moduleOf.put(c.getName(), module));
      }
    }
  }

  @Test
  void theModulesAreThere() {
    assertThat(moduleOf.values())
        .as("classes under %s/MODULE/%s/classes", ROOT.toAbsolutePath().normalize(), BUILD)
        .contains("api");
  }

  @Test
  void aModuleImportsOnlyWhatItsRowAllows() {
    List<String> violations = new ArrayList<>();
    modules.forEach(
        (module, classes) -> {
          Set<String> allowed = MAY_IMPORT.get(module);
          for (Dependency dependency : dependencies(classes)) {
            String target =
                moduleOf.get(dependency.getTargetClass().getBaseComponentType().getName());
            if (target != null && !target.equals(module) && !allowed.contains(target)) {
              violations.add(
                  module + " must not use " + target + ": " + dependency.getDescription());
            }
          }
        });
    assertThat(violations).isEmpty();
  }

  @Test
  void aLibraryIsImportedOnlyWhereItBelongs() {
    List<String> violations = new ArrayList<>();
    modules.forEach(
        (module, classes) -> {
          for (Dependency dependency : dependencies(classes)) {
            String target = dependency.getTargetClass().getBaseComponentType().getName();
            LIBRARY_USERS.forEach(
                (library, users) -> {
                  if (target.startsWith(library) && !users.contains(module)) {
                    violations.add(module + ": " + dependency.getDescription());
                  }
                });
          }
        });
    assertThat(violations).isEmpty();
  }

  @Test
  void inTheServerOnlyMainAndItsConfigurationKnowTheCommandLine() {
    List<String> violations = new ArrayList<>();
    if (modules.containsKey("server")) {
      for (Dependency dependency : dependencies(modules.get("server"))) {
        if (dependency.getTargetClass().getName().startsWith("picocli.")
            && !COMMAND_LINE_READERS.contains(dependency.getOriginClass().getPackageName())) {
          violations.add(dependency.getDescription());
        }
      }
    }
    assertThat(violations).isEmpty();
  }

  @Test
  void inLeaderElectionOnlyCertificatesAreNettys() {
    List<String> violations = new ArrayList<>();
    if (modules.containsKey("leader-election")) {
      for (Dependency dependency : dependencies(modules.get("leader-election"))) {
        String target = dependency.getTargetClass().getBaseComponentType().getName();
        if (target.startsWith("io.netty.") && !target.startsWith(CERTIFICATES)) {
          violations.add(dependency.getDescription());
        }
      }
    }
    assertThat(violations).isEmpty();
  }

  @Test
  void aModuleHasOneSubPackageOfItsOwn() {
    Map<String, Set<String>> modulesOfPackage = new TreeMap<>();
    Map<String, Set<String>> packagesOfModule = new TreeMap<>();
    moduleOf.forEach(
        (name, module) -> {
          String[] parts = name.split("\\.");
          String top = String.join(".", List.of(parts).subList(0, Math.min(3, parts.length - 1)));
          modulesOfPackage.computeIfAbsent(top, k -> new TreeSet<>()).add(module);
          packagesOfModule.computeIfAbsent(module, k -> new TreeSet<>()).add(top);
        });
    assertThat(modulesOfPackage).allSatisfy((top, owners) -> assertThat(owners).hasSize(1));
    assertThat(packagesOfModule).allSatisfy((module, tops) -> assertThat(tops).hasSize(1));
    assertThat(modulesOfPackage.keySet()).allMatch(top -> top.startsWith("io.tidemark."));
  }

  @Test
  void namesInApiAndMasterCoreSaySomething() {
    List<String> violations = new ArrayList<>();
    for (String module : DETERMINISTIC) {
      if (modules.containsKey(module)) {
        modules.get(module).stream()
            .map(JavaClass::getName)
            .filter(name -> !words(name).stream().filter(EMPTY_WORDS::contains).toList().isEmpty())
            .forEach(violations::add);
      }
    }
    assertThat(violations).isEmpty();
  }

  @Test
  void apiAndMasterCoreReadNoClockAndThrowNoDice() {
    List<String> violations = new ArrayList<>();
    for (String module : DETERMINISTIC) {
      if (modules.containsKey(module)) {
        violations.addAll(clocksAndDice(modules.get(module)));
      }
    }
    assertThat(violations).isEmpty();
  }

  @Test
  void theRulesSeeWhatTheyForbid() {
    JavaClasses forbidden = new ClassFileImporter().importClasses(Forbidden.class);
    assertThat(clocksAndDice(forbidden)).hasSize(3);
    assertThat(words("io.tidemark.core.SegmentManager")).contains("manager");
    assertThat(words("io.tidemark.core.impl.HTTPThing$Inner")).contains("impl", "http", "inner");
    assertThat(words("io.tidemark.core.CommonsenseImplied"))
        .doesNotContainAnyElementsOf(EMPTY_WORDS);
    assertThat(dependencies(forbidden))
        .anyMatch(d -> d.getTargetClass().getName().equals("java.util.Random"));
  }

  private static List<Dependency> dependencies(JavaClasses classes) {
    return classes.stream().flatMap(c -> c.getDirectDependenciesFromSelf().stream()).toList();
  }

  private static List<String> clocksAndDice(JavaClasses classes) {
    List<String> violations = new ArrayList<>();
    for (JavaClass c : classes) {
      for (JavaAccess<?> access : c.getAccessesFromSelf()) {
        Set<String> methods = CLOCKS_AND_DICE.get(access.getTargetOwner().getName());
        if (methods != null && (methods.contains("*") || methods.contains(access.getName()))) {
          violations.add(access.getDescription());
        }
      }
    }
    return violations;
  }

  /** The words that a qualified class name is made of, in lower case. */
  private static Set<String> words(String name) {
    return WORD.matcher(name)
        .results()
        .map(r -> r.group().toLowerCase(java.util.Locale.ROOT))
        .collect(toCollection(TreeSet::new));
  }

  /** Never run: it only holds what must be found. */
  @SuppressWarnings({"unused", "UnusedMethod"})
  private static final class Forbidden {
    long clock() {
      return System.nanoTime();
    }

    Random dice() {
      return new Random(7);
    }

    java.util.function.Supplier<java.util.UUID> reference() {
      return java.util.UUID::randomUUID;
    }
  }
}
