/**
 * Objects: unfinished writes, groups, soft pins, the deciders of every object call and the applier
 * of object events.
 */
package io.tidemark.core.object;
