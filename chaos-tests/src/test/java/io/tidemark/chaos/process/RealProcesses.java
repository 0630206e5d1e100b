package io.tidemark.chaos.process;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a class whose tests start real processes: it can be left out by the tags "process" and
 * "real", each of its tests has a time limit, and gets an {@link Evidence} as a parameter.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("process")
@Tag("real")
@Timeout(150)
@ExtendWith(EvidenceExtension.class)
public @interface RealProcesses {}
