package io.tidemark.chaos.process;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test its {@link Evidence}, ends what the test started, keeps the folder on failure.
 */
final class EvidenceExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(EvidenceExtension.class);
  private static final int LONGEST_NAME = 80;

  @Override
  public void beforeEach(ExtensionContext context) {
    context
        .getStore(NAMESPACE)
        .put(Evidence.class, new Evidence(Checkout.target().resolve(path(context))));
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    Evidence evidence = evidence(context);
    boolean keep =
        context.getExecutionException().isPresent() || Boolean.getBoolean("tidemark.evidence.keep");
    try {
      evidence.close();
    } catch (Exception e) {
      keep = true;
      throw e;
    } finally {
      if (keep) {
        System.out.println("evidence of " + context.getDisplayName() + ": " + evidence.folder());
      } else {
        evidence.discard();
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Evidence.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return evidence(context);
  }

  private static Evidence evidence(ExtensionContext context) {
    return context.getStore(NAMESPACE).get(Evidence.class, Evidence.class);
  }

  private static String path(ExtensionContext context) {
    String name = context.getRequiredTestMethod().getName();
    String shown = context.getDisplayName().replaceAll("[^A-Za-z0-9._-]+", "-");
    if (!shown.startsWith(name)) {
      name += "-" + shown;
    }
    name = name.substring(0, Math.min(LONGEST_NAME, name.length()));
    return "evidence/" + context.getRequiredTestClass().getSimpleName() + "/" + name;
  }
}
