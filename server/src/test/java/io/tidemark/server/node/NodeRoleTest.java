package io.tidemark.server.node;

import static io.tidemark.server.node.NodeRole.BOOTING;
import static io.tidemark.server.node.NodeRole.FENCED;
import static io.tidemark.server.node.NodeRole.HALTED;
import static io.tidemark.server.node.NodeRole.LEADER;
import static io.tidemark.server.node.NodeRole.PROMOTING;
import static io.tidemark.server.node.NodeRole.RESTORING;
import static io.tidemark.server.node.NodeRole.STANDBY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The whole table, step by step. */
class NodeRoleTest {
  private static final Map<NodeRole, Set<NodeRole>> TABLE =
      Map.of(
          BOOTING, Set.of(RESTORING, HALTED),
          RESTORING, Set.of(STANDBY, HALTED),
          STANDBY, Set.of(RESTORING, PROMOTING, HALTED),
          PROMOTING, Set.of(LEADER, FENCED, HALTED),
          LEADER, Set.of(FENCED, HALTED),
          FENCED, Set.of(RESTORING, HALTED),
          HALTED, Set.of());

  @Test
  void onlyTheStepsOfTheTableAreLegal() {
    for (NodeRole from : NodeRole.values()) {
      for (NodeRole to : NodeRole.values()) {
        assertThat(from.mayBecome(to))
            .as("%s to %s", from, to)
            .isEqualTo(TABLE.get(from).contains(to));
      }
    }
  }

  @Test
  void aLeadershipIsHeldWhilePromotingAndLeading() {
    for (NodeRole role : NodeRole.values()) {
      assertThat(role.leads()).isEqualTo(role == PROMOTING || role == LEADER);
    }
  }
}
