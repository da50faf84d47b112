--- @include "reading/job-state"

-- The functions of reading/job-state by the prefixes of their queues.
local states = {}

-- Returns the state of a job of any queue, given its id and two of its times.
local function stateBy(prefix, id, processedOn, finishedOn)
  states[prefix] = states[prefix] or statesIn(prefix)
  return states[prefix](id, processedOn, finishedOn)
end
