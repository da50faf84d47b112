-- In TypeScript: domain/transitions/steps
-- Saves a step of the job that an attempt holds, as JSON. The first value of a name stays. Returns "saved", "known"
-- with that value, "too-much" with the bound in words, or "refused"; CAME_LATE.
--- @include "attempts/holds"
--- @include "attempts/steps"
--- @include "reading/in-time"

if cameLate(deadline) then return CAME_LATE end
if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) then return {"refused"} end
local before = rcall("HGET", job .. STEP_VALUES, name)
if before then return {"known", string.match(before, "^%d+:%a:%d+:(.*)$")} end
local steps = stepsOf(job)
countStep(steps, name, #value)
local excess = excessOf(steps)
if excess then return {"too-much", excess} end
noteSaved(steps, token, name)
putStep(steps, name, STEP_OF_VALUE, now, value)
writeSteps(steps)
return {"saved"}
