package io.tidemark.server.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.api.ErrorCode;
import io.tidemark.api.ObjectKey;
import io.tidemark.api.WireText;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;

/** Requests that change something, and those of parts that are not served yet. */
final class ChangePages {

  private static final int MAX_PIN_KEYS = 4_096;
  private static final String PIN_RULE =
      "Expected 1..4096 keys, a valid tenant, and ttl_ms only for soft_pin";

  private final MasterCalls master;
  private final ObjectMapper json = new ObjectMapper();

  ChangePages(MasterCalls master) {
    this.master = master;
  }

  /**
   * Removes every object, or every object of a tenant. A body is refused unless it is an empty
   * object: upstream ignores it and removes everything even if it names a key.
   */
  AdminResponse removeAll(AdminRequest request) {
    String body = request.bodyText().strip();
    if (!body.isEmpty() && !body.replaceAll("\\s", "").equals("{}")) {
      return AdminResponse.badRequest(
          "remove_all removes every object and takes no body; use ?force=true and ?tenant_id= to limit it");
    }
    String force = request.rawParameter("force").orElse("");
    boolean forced = force.equals("true") || force.equals("1");
    Reply reply =
        master.call(new Request.RemoveAll(forced, request.rawParameter("tenant_id").orElse("")));
    if (reply instanceof Reply.Bare bare && bare.value() instanceof Number count) {
      return AdminResponse.json(
          200, "{\"success\":true,\"removed_count\":" + count.longValue() + "}");
    }
    return AdminResponse.error(errorOf(reply));
  }

  AdminResponse softPin(AdminRequest request) {
    return changePins(request, true);
  }

  AdminResponse softUnpin(AdminRequest request) {
    return changePins(request, false);
  }

  private AdminResponse changePins(AdminRequest request, boolean pin) {
    JsonNode body;
    try {
      body = json.readTree(request.bodyText());
    } catch (JsonProcessingException malformed) {
      return invalidJson(malformed);
    }
    Optional<List<String>> keys = texts(body.path("keys"));
    if (!body.isObject() || keys.isEmpty()) {
      return AdminResponse.badRequest(
          "Invalid JSON body: expected an object with a list of texts named keys");
    }
    JsonNode ttl = body.path("ttl_ms");
    JsonNode tenant = body.path("tenant_id");
    boolean ttlFits =
        pin
            ? ttl.canConvertToLong() && ttl.isIntegralNumber()
            : ttl.isMissingNode() || ttl.isNull();
    boolean tenantFits = tenant.isMissingNode() || tenant.isNull() || tenant.isTextual();
    int count = keys.get().size();
    if (!ttlFits || !tenantFits || count == 0 || count > MAX_PIN_KEYS) {
      return AdminResponse.badRequest(PIN_RULE);
    }
    OptionalLong ttlMs = pin ? OptionalLong.of(ttl.asLong()) : OptionalLong.empty();
    String tenantName =
        tenant.isTextual() ? WireText.encode(tenant.asText()) : ObjectKey.DEFAULT_TENANT;
    return pinResults(keys.get(), master.softPin(keys.get(), tenantName, ttlMs));
  }

  private static AdminResponse pinResults(List<String> keys, Reply reply) {
    if (!(reply instanceof Reply.Many many)) {
      return AdminResponse.error(errorOf(reply));
    }
    StringJoiner items = new StringJoiner(",", "[", "]");
    int i = 0;
    for (Result<?> result : many.results()) {
      items.add(
          "{\"key\":" + Json.quotedWire(keys.get(i++)) + ",\"error_code\":" + result.code() + "}");
    }
    return AdminResponse.json(200, "{\"results\":" + items + "}");
  }

  /** Drain jobs are not served yet; a malformed body is said first, as upstream does. */
  AdminResponse createDrainJob(AdminRequest request) {
    try {
      if (!json.readTree(request.bodyText()).isObject()) {
        return AdminResponse.badRequest("Invalid JSON body: expected an object");
      }
    } catch (JsonProcessingException malformed) {
      return invalidJson(malformed);
    }
    return unavailable(request);
  }

  /** Query or cancel. */
  AdminResponse drainJob(AdminRequest request) {
    String id = request.rawParameter("job_id").orElse("");
    if (!id.matches("[0-9]+-[0-9].*")) {
      return AdminResponse.badRequest("Missing or invalid job_id");
    }
    return unavailable(request);
  }

  /** Setting or dropping a tenant's quota. */
  AdminResponse changeQuota(AdminRequest request) {
    if (request.parameter("tenant_id").orElse("").isEmpty()) {
      return AdminResponse.badRequest("Missing or invalid tenant_id");
    }
    return unavailable(request);
  }

  /** A part that is off in this mode. */
  AdminResponse unavailable(AdminRequest request) {
    return AdminResponse.error(ErrorCode.UNAVAILABLE_IN_CURRENT_MODE.value());
  }

  AdminResponse kvEvents(AdminRequest request) {
    return AdminResponse.json(
        200,
        "{\"enabled\":false,\"published_batches\":0,\"published_events\":0,\"dropped_events\":0,"
            + "\"skipped_keyless_events\":0}");
  }

  private static AdminResponse invalidJson(JsonProcessingException malformed) {
    return AdminResponse.badRequest("Invalid JSON body: " + malformed.getOriginalMessage());
  }

  /** Wire strings of a list of texts, empty if it is anything else. */
  private static Optional<List<String>> texts(JsonNode node) {
    if (!node.isArray()) {
      return Optional.empty();
    }
    List<String> texts = new ArrayList<>(node.size());
    for (JsonNode item : node) {
      if (!item.isTextual()) {
        return Optional.empty();
      }
      texts.add(WireText.encode(item.asText()));
    }
    return Optional.of(texts);
  }

  private static int errorOf(Reply reply) {
    return reply instanceof Reply.One one && !one.result().isOk()
        ? one.result().code()
        : ErrorCode.INTERNAL_ERROR.value();
  }
}
