/** Real etcd processes for tests, on the loopback address, with data in a test's own folder. */
package io.tidemark.testkit.etcd;
