-- Counts the delayed jobs of groups in a piece of those of a queue, and finds the groups of those that run. Returns
-- groups and counts in turn, whether there are delayed jobs behind the piece, as 1 or 0, and the groups with running
-- jobs, or with a job that is staged for native workers; nothing of a queue without groups.
--
-- from: how many delayed jobs to pass
-- most: most delayed jobs to look at
--- @include "groups/group-places"

if rcall("HEXISTS", meta, GROUPED) == 0 then return {{}, 0, {}} end

local counts, answer = {}, {}
local ids = rcall("ZRANGE", delayed, from, from + most - 1)
for _, id in ipairs(ids) do
  local group = rcall("HGET", prefix .. id, GROUP) or ""
  counts[group] = (counts[group] or 0) + 1
end
for group, count in pairs(counts) do
  answer[#answer + 1] = group
  answer[#answer + 1] = count
end

local known, running = {}, {}
local started = from == 0 and rcall("LRANGE", active, 0, -1) or {}
for at = 1, #started, AT_ONCE do
  local groups = rcall("HMGET", prefix .. GROUP_RUNNING, unpack(started, at, math.min(#started, at + AT_ONCE - 1)))
  for index = 1, #groups do
    local group = groups[index] or ""
    if not known[group] then running[#running + 1] = group end
    known[group] = true
  end
end
local _, ofStaged = groupPlaces().stagedJob(prefix)
if from == 0 and ofStaged and not known[ofStaged] then running[#running + 1] = ofStaged end
return {answer, #ids == most and 1 or 0, running}
