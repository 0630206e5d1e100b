package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.WireText;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns as Mooncake's masters took them (measured), and what a linear engine adds. */
class EcmaPatternTest {

  private static boolean finds(String pattern, String key) {
    return EcmaPattern.compile(pattern).orElseThrow().matcher(key).find();
  }

  @ParameterizedTest(name = "measured: {0} is refused")
  @ValueSource(
      strings = {
        "(?<=a)b",
        "(?<!a)b",
        "(?i)a",
        "(?<n>a)",
        "(?P<n>a)",
        "\\p{L}",
        "\\P{L}",
        "{",
        "a{,2}",
        "a{100000}",
        "[a-\\d]",
        "\\1",
        "(?#c)",
        "(",
        ")",
        "[",
        "[a",
        "a{2",
        "*",
        "+a",
        "a|*",
        "\\",
        "[z-a]",
        "a{3,2}"
      })
  void refused(String pattern) {
    assertThat(EcmaPattern.compile(pattern)).isEmpty();
  }

  @ParameterizedTest(name = "ours: {0} is refused, a linear engine can''t do it")
  @ValueSource(strings = {"(a)\\1", "(?=a)b", "(?!a)b"})
  void refusedByOurs(String pattern) {
    assertThat(EcmaPattern.compile(pattern)).isEmpty();
  }

  @ParameterizedTest(name = "measured: {0} finds {1}")
  @CsvSource({
    "a++,caat",
    "a*+,b",
    "a**,b",
    "'}','a}'",
    "']','a]'",
    "'','anything'",
    "\\h,h",
    "\\e,e",
    "\\k,k",
    "\\A,A",
    "\\d{2},a12",
    "^key,key1",
    "end$,the end",
    "a|b,xb",
    "(ab)+,abab",
    "(?:ab)+c,ababc",
    "a{2},aa",
    "'a{2,}',aaa",
    "'a{2,3}',aaaa",
    "[^a],b",
    "\\x41,A",
    "\\u0041,A",
    "[a\\-z],-",
    "[.],.",
    "\\.,.",
    "a??b,ab",
    "a+?b,aab",
    "\\bkey\\b,a key b",
    "[\\d_],_",
    "[&],&",
    "[a-],-",
    "\\/,/",
    "\\w+\\s,a b"
  })
  void found(String pattern, String key) {
    assertThat(finds(pattern, key)).isTrue();
  }

  @ParameterizedTest(name = "{0} does not find {1}")
  @CsvSource({
    "\\h,' '",
    "\\A,a",
    "\\e,x",
    "[a&&b],c",
    "^key,akey",
    "end$,ends",
    "a{2},a",
    "[^a],a",
    "\\d,a",
    "(?:a|b)c,ab"
  })
  void notFound(String pattern, String key) {
    assertThat(finds(pattern, key)).isFalse();
  }

  @Test
  @DisplayName("measured: [] finds nothing, [^] everything, a newline included")
  void emptyClasses() {
    assertThat(finds("[]", "a")).isFalse();
    assertThat(finds("a[]|b", "b")).isTrue();
    assertThat(finds("[^]", "\n")).isTrue();
    assertThat(finds("[^]", "")).isFalse();
  }

  @Test
  @DisplayName("measured: a dot matches no end of a line; ^ and $ mean the whole key")
  void lines() {
    assertThat(finds("a.b", "a\nb")).isFalse();
    assertThat(finds("a.b", "a\rb")).isFalse();
    assertThat(finds("a.b", "a\u0085b")).isTrue();
    assertThat(finds("^b", "a\nb")).isFalse();
    assertThat(finds("a$", "a\nb")).isFalse();
    assertThat(finds("a$", "a\n")).isFalse();
  }

  @Test
  @DisplayName("measured: matching is byte-wise, a two-byte character is two characters")
  void bytes() {
    String key = WireText.encode("\u00fc");
    assertThat(finds("^..$", key)).isTrue();
    assertThat(finds("^.$", key)).isFalse();
    assertThat(finds(WireText.encode("\u00fc"), key)).isTrue();
    assertThat(finds("[^a]", "\u00ff")).isTrue();
    assertThat(finds("\\x00", "\u0000")).isTrue();
    assertThat(finds("\\0", "\u0000")).isTrue();
  }

  @Test
  @DisplayName("a pattern that explodes elsewhere, and a long key, end in a moment")
  void linearTime() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertThat(finds("(a+)+b$", "a".repeat(30))).isFalse();
          assertThat(finds("(a+)+b$", "a".repeat(30_000))).isFalse();
          assertThat(finds(".*z", "a".repeat(30_000))).isFalse();
          assertThat(finds("(a|a)*c", "a".repeat(30_000))).isFalse();
        });
  }
}
