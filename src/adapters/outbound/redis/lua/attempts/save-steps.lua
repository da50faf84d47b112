-- In TypeScript: domain/transitions/steps
-- Saves steps of jobs that attempts hold, as JSON. The first value of a name stays. Returns for each "saved", "known"
-- with that value, "too-much" with the bound in words, or "refused"; CAME_LATE.
--
-- REST: of each the token of the attempt, the id of its job, and the name and the value of the step
--- @include "attempts/holds"
--- @include "attempts/steps"
--- @include "reading/in-time"

if cameLate(deadline) then return CAME_LATE end

local function save(token, id, name, value)
  local job = prefix .. id
  if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) then return {"refused"} end
  local before = rcall("HGET", job .. STEP_VALUES, name)
  if before then return {"known", string.match(before, "^%d+:%a:%d+:(.*)$")} end
  local steps = stepsOf(job)
  countStep(steps, name, #value)
  if excessOf(steps) then return {"too-much", excessOf(steps)} end
  noteSaved(steps, token, name)
  putStep(steps, name, STEP_OF_VALUE, now, value)
  writeSteps(steps)
  return {"saved"}
end

local answers = {}
for at = REST, #ARGV, 4 do answers[#answers + 1] = save(unpack(ARGV, at, at + 3)) end
return answers
