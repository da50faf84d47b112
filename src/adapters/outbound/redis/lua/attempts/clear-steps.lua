-- In TypeScript: domain/transitions/steps
-- Replaces values of steps of a job by null that are as they were read. Returns how many.
--
-- REST: of each its name, and what is saved of it
--- @include "attempts/steps"

local steps, cleared = stepsOf(job), 0
for index = REST, #ARGV, 2 do
  local name, saved = ARGV[index], ARGV[index + 1]
  if rcall("HGET", job .. STEP_VALUES, name) == saved then
    local head, value = string.match(saved, "^(%d+:%a:%d+:)(.*)$")
    rcall("HSET", job .. STEP_VALUES, name, head .. "null")
    steps.bytes = steps.bytes + #"null" - #value
    cleared = cleared + 1
  end
end
if cleared > 0 then writeSteps(steps) end
return cleared
