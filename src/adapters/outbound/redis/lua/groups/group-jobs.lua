--- @include "groups/group-places"

-- Returns a function that returns how many jobs of a group wait, and one that returns the first of them. One that is
-- staged for native workers waits ahead of the others of its group.
local function waitingInGroups(prefix)
  local staged, ofStaged = groupPlaces().stagedJob(prefix)
  local waiting = prefix .. GROUP_WAITING

  local function countOf(group)
    if group ~= "" then
      return rcall("ZLEXCOUNT", waiting, "[" .. group .. "\0", "[" .. group .. "\0:") + (group == ofStaged and 1 or 0)
    end
    local others = (ofStaged or "") ~= "" and 1 or 0
    return rcall("LLEN", prefix .. "wait") + rcall("ZCARD", prefix .. "prioritized") - others
  end

  local function firstOf(group)
    if group == ofStaged then return staged end
    if group == "" then
      return rcall("LINDEX", prefix .. "wait", staged and -2 or -1) or rcall("ZRANGE", prefix .. "prioritized", 0, 0)[1]
    end
    local member = rcall("ZRANGEBYLEX", waiting, "[" .. group .. "\0", "[" .. group .. "\0:", "LIMIT", 0, 1)[1]
    return member and idInGroup(member)
  end

  return countOf, firstOf
end
