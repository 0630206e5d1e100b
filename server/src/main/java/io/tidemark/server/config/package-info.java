/**
 * What an operator can set: the flag table, where values come from (command line, file, default),
 * the checks between them, and one immutable record a component.
 */
package io.tidemark.server.config;
