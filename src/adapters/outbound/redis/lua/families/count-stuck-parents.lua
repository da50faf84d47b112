-- Counts the jobs that wait for a child that failed for good, among the oldest of those that wait for children: as many
-- as have so many children together.
--
-- parents: most parents
-- room: most children

-- Children that ended otherwise are no longer among the dependencies.
local function isStuck(parent)
  for _, child in ipairs(rcall("SSCAN", prefix .. parent .. ":dependencies", 0, "COUNT", room)[2]) do
    room = room - 1
    if rcall("HEXISTS", child, "finishedOn") == 1 then return true end
  end
end

local stuck = 0
for _, parent in ipairs(rcall("ZRANGE", waitingChildren, 0, parents - 1)) do
  if room <= 0 then break end
  if isStuck(parent) then stuck = stuck + 1 end
end
return stuck
