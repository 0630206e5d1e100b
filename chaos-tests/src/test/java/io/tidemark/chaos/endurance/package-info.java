/** Tests of what happens over time: a disk that fills up, and mixed load that does not end. */
package io.tidemark.chaos.endurance;
