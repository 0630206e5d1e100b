package io.tidemark.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators may write. */
class EtcdEndpointsTest {

  @Test
  void bothSeparatorsAndBareAddressesAreRead() {
    assertThat(EtcdEndpoints.parse("http://a:1;http://b:2, 10.0.0.1:3;c ;"))
        .containsExactly(
            URI.create("http://a:1"),
            URI.create("http://b:2"),
            URI.create("http://10.0.0.1:3"),
            URI.create("http://c:2379"));
    assertThat(EtcdEndpoints.parse("https://[::1]:2379/"))
        .containsExactly(URI.create("https://[::1]:2379"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ; ",
        "ftp://a:1",
        "http://a:1/x",
        "http://u:p@a:1",
        "a b:1",
        "http://a:1?q",
        "http://a:1;https://b:1"
      })
  void whatIsWrongIsNamed(String text) {
    assertThatThrownBy(() -> EtcdEndpoints.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("etcd endpoint");
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    EtcdSettings good = EtcdSettings.of("a:1", "c1");
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> EtcdSettings.of("a:1", "a/b")).hasMessageContaining("cluster id");
    assertThatThrownBy(() -> good.with(second, 1, second)).hasMessageContaining("TTL");
    assertThatThrownBy(() -> good.with(second, 5, Duration.ofSeconds(3)))
        .hasMessageContaining("margin");
    assertThatThrownBy(() -> good.with(Duration.ZERO, 5, second)).hasMessageContaining("timeout");
    assertThatThrownBy(() -> good.with(new EtcdSettings.Tls(Optional.empty(), Optional.empty())))
        .hasMessageContaining("https");
    assertThatThrownBy(() -> new EtcdSettings.Login("u", "")).hasMessageContaining("password");
    assertThat(new EtcdSettings.Login("u", "secret").toString()).doesNotContain("secret");
  }
}
