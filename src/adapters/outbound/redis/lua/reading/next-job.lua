--- @include "groups/id-in-group"

-- The next job, of those that wait.
local function nextJob(prefix, isGrouped)
  local member = isGrouped and rcall("ZRANGE", prefix .. GROUP_READY, 0, 0)[1]
  local group = member and string.sub(member, 15) or ""
  local first = group ~= "" and rcall("ZRANGEBYLEX", prefix .. GROUP_WAITING, "[" .. group .. "\0",
    "[" .. group .. "\0:", "LIMIT", 0, 1)[1]
  if first then return idInGroup(first) end
  return rcall("LINDEX", prefix .. "wait", -1) or rcall("ZRANGE", prefix .. "prioritized", 0, 0)[1]
end
