package io.tidemark.election;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;

/** Reads lists of etcd's client addresses as operators write them. */
public final class EtcdEndpoints {
  /** Where etcd listens for clients if nobody says otherwise. */
  static final int DEFAULT_PORT = 2379;

  private EtcdEndpoints() {}

  /**
   * Reads addresses separated by {@code ;} or {@code ,}, each {@code http://HOST:PORT}, {@code
   * https://HOST:PORT} or {@code HOST:PORT}. All have the same scheme.
   *
   * @throws IllegalArgumentException naming the part that can't be read
   */
  public static List<URI> parse(String text) {
    List<URI> endpoints = new ArrayList<>();
    for (String part : text.split("[;,]", -1)) {
      if (!part.isBlank()) {
        endpoints.add(endpoint(part.strip()));
      }
    }
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("no etcd endpoint in \"" + text + "\"");
    }
    if (endpoints.stream().map(URI::getScheme).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "http and https mixed in the etcd endpoints \"" + text + "\"");
    }
    return List.copyOf(endpoints);
  }

  private static URI endpoint(String part) {
    String full = part.contains("://") ? part : "http://" + part;
    try {
      URI uri = new URI(full);
      boolean known = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean bare = uri.getRawPath().matches("/?") && uri.getQuery() == null;
      if (known && bare && uri.getHost() != null && uri.getUserInfo() == null) {
        int port = uri.getPort() == -1 ? DEFAULT_PORT : uri.getPort();
        return new URI(uri.getScheme(), null, uri.getHost(), port, null, null, null);
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(unreadable(part), e);
    }
    throw new IllegalArgumentException(unreadable(part));
  }

  private static String unreadable(String part) {
    return "etcd endpoint \"" + part + "\" is not http://HOST:PORT, https://HOST:PORT or HOST:PORT";
  }
}
