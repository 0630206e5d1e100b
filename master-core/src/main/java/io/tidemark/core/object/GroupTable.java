package io.tidemark.core.object;

import io.tidemark.api.ObjectKey;
import io.tidemark.core.table.ScopedKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Groups by number, for any thread, and by name, for the holder of the core role. */
public final class GroupTable {
  private final Map<Integer, Group> byNumber = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Group> byName = new LinkedHashMap<>();
  private int lastNumber;

  /** The group of a number, or null. Any thread. */
  public Group get(int number) {
    return number == 0 ? null : byNumber.get(number);
  }

  /** Group ids by number. */
  public Map<Integer, String> export() {
    Map<Integer, String> ids = new LinkedHashMap<>();
    byName.values().forEach(group -> ids.put(group.number(), group.name().key()));
    return ids;
  }

  /** Adds a member; returns the number of its group, which is made if need be. */
  int join(String tenant, String groupId, ScopedKey member) {
    ObjectKey name = new ObjectKey(tenant, groupId);
    Group group = byName.get(name);
    if (group == null) {
      group = new Group(++lastNumber, name);
      byName.put(name, group);
      byNumber.put(group.number(), group);
    }
    group.add(member);
    return group.number();
  }

  /** Takes a member out; an empty group is forgotten. */
  void leave(int number, ScopedKey member) {
    Group group = byNumber.get(number);
    if (group == null) {
      throw new IllegalStateException(
          "object " + member + " is in group " + number + ", which does not exist");
    }
    group.remove(member);
    if (group.members().isEmpty()) {
      byNumber.remove(number);
      byName.remove(group.name());
    }
  }
}
