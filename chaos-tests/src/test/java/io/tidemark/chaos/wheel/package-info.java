/**
 * Runs the unmodified clients of five Mooncake releases, as their wheels ship them, against a
 * master.
 *
 * <p>{@code scripts/wheels.sh} makes one environment a release. Each client is a process that
 * {@code src/test/resources/wheel/client.py} turns into something a test can talk to; {@link
 * io.tidemark.chaos.wheel.WheelClient} is the test's end. Without the environments the tests fail
 * and say so.
 *
 * <p>The expectations are upstream's behaviour, and can be held against it: with the system
 * property {@code tidemark.chaos.upstream=RELEASE} the tests that need no surviving state run the
 * master of that wheel, with clients of that release only.
 */
package io.tidemark.chaos.wheel;
