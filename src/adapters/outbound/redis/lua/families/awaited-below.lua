-- Finds the job that a parent waits for: one that failed for good, or otherwise the first without jobs to wait for. A
-- job with a number for an id is never a parent. Returns its key, and whether it failed.
--
-- room: {left = how many children to examine at most}
local function awaitedBelow(parent, room)
  local unfinished
  -- Children that ended otherwise are no longer among the dependencies.
  for _, child in ipairs(rcall("SSCAN", parent .. ":dependencies", 0, "COUNT", room.left)[2]) do
    if room.left <= 0 then break end
    room.left = room.left - 1
    if rcall("HEXISTS", child, "finishedOn") == 1 then return child, true end
    local below, isFailed
    if not string.find(child, ":%d+$") then below, isFailed = awaitedBelow(child, room) end
    if isFailed then return below, true end
    unfinished = unfinished or below or child
  end
  return unfinished, false
end
