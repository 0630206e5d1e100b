/** What clients of a real cluster were told, call by call, and whether all of it can be true. */
package io.tidemark.chaos.history;
