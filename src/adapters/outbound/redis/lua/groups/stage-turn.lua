-- Has a job of a queue with groups wait where native workers take theirs: the one whose turn it is, unless one is
-- there.
-- Has groups go on whose jobs native workers ended. Returns 1 when native workers take jobs of the queue, else 0.
--
-- defaults: what holds for groups without settings, as JSON; empty without
--- @include "attempts/queue"
--- @include "groups/turns"

groupPlaces().forgetTurns(prefix)
if rcall("EXISTS", prefix .. GROUP_TURNS) == 0 then
  local register, name = groupPlaces().registerOfTurns(prefix)
  rcall("SREM", register, name)
  return 0
end

local isActive = {}
for _, id in ipairs(rcall("LRANGE", active, 0, -1)) do isActive[id] = true end
local running, staged = rcall("HGETALL", prefix .. GROUP_RUNNING), groupPlaces().stagedJob(prefix)
for index = 1, #running, 2 do
  local id = running[index]
  if not isActive[id] and id ~= staged and string.sub(id, 1, 1) ~= "!" then
    groupPlaces().leaveGroup(prefix, running[index + 1], id)
  end
end
if staged or rcall("HEXISTS", meta, "paused") == 1 then
  return areNativeThere(rcall("HGET", prefix .. GROUP_TURNS, "w")) and 1 or 0
end

-- A claim knows its worker; this replica may not have heard of it yet.
local ofClaims, queue = rcall("HGET", meta, GROUP_DEFAULTS), queueOf(prefix, timestamp)
local turns = ofClaims and turnsOf(queue, ofClaims, 1, GROUP_DEFAULTS) or
  turnsOf(queue, defaults, 1, NATIVE_GROUP_DEFAULTS)
turns.stage()
turns.write()
return turns.areNativeThere() and 1 or 0
