-- In TypeScript: domain/transitions/steps
-- Removes one step of a job that no attempt holds, or all. What of a suspension is over becomes steps first; the job
-- goes on awaiting the rest. Returns 1, nothing for a name that is not there, or what the guard returns.
--
-- name: empty for all
--- @include "attempts/over"
--- @include "attempts/state-guard"
--- @include "reading/decoded"

local state, _, refusal = guarded(prefix, id, allowed, reach)
if not state then return refusal end
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
rcall("HDEL", job .. STEP_VALUES, "")
local steps, time, removed = stepsOf(job), tonumber(now), 1
local text = rcall("HGET", job, SUSPENSION)
if text then
  local suspension, awaited = decoded(text), {}
  for _, each in ipairs(suspension.waits or {}) do
    if isOver(each, time) then saveEnd(steps, each, time) else awaited[#awaited + 1] = each end
  end
  suspension.waits = awaited
  rcall("HSET", job, SUSPENSION, cjson.encode(suspension))
end
if name == "" then
  rcall("DEL", job .. STEP_VALUES)
  steps.count = 0
else
  local saved = rcall("HGET", job .. STEP_VALUES, name)
  removed = saved and 1
  if saved then
    rcall("HDEL", job .. STEP_VALUES, name)
    steps.count, steps.bytes = steps.count - 1, steps.bytes - #string.match(saved, "^%d+:%a:%d+:(.*)$")
  end
end
writeSteps(steps)
return removed
