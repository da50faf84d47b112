-- In TypeScript: domain/transitions/steps
--- @include "attempts/over"
--- @include "attempts/waits"
--- @include "reading/in-pieces"

-- The keys of jobs that a step added. A prefix has no colon.
local function keysOf(prefix, jobs)
  local start, keys = string.match(prefix, "^[^:]*:"), {}
  for index, each in ipairs(jobs) do keys[index] = start .. each.queue .. ":" .. each.id end
  return keys
end

-- At least how many bytes the value of a step takes that added jobs.
local function lengthOfEnds(job, keys)
  local bytes = 0
  for _, key in ipairs(keys) do
    bytes = bytes + rcall("HSTRLEN", job .. ":processed", key) + rcall("HSTRLEN", job .. ":failed", key)
  end
  return bytes
end

-- How jobs ended that a step added, in their order. The job knows them no longer.
local function valueOfJobs(job, jobs, keys)
  local ends = {}
  for index, each in ipairs(jobs) do
    local key = keys[index]
    local head = '{"queue":' .. cjson.encode(each.queue) .. ',"id":' .. cjson.encode(each.id)
    local returned, reason = rcall("HGET", job .. ":processed", key), rcall("HGET", job .. ":failed", key)
    if returned then ends[index] = head .. ',"state":"completed","returnvalue":' .. returned .. "}"
    elseif reason then ends[index] = head .. ',"state":"failed","failedReason":' .. cjson.encode(reason) .. "}"
    else ends[index] = head .. ',"state":"removed"}' end
  end
  inPieces("HDEL", job .. ":processed", keys)
  inPieces("HDEL", job .. ":failed", keys)
  inPieces("SREM", job .. ":dependencies", keys)
  return "[" .. table.concat(ends, ",") .. "]"
end

-- Ends the suspension of a job that is about to be called, whoever had it wait again: what it awaited becomes steps.
-- Returns what is known of its steps now, if it has any, and which bound they exceed, in words.
local function resume(prefix, id, text, timestamp)
  local job, now = prefix .. id, tonumber(timestamp)
  local steps, waits, keys = stepsOf(job), decoded(text).waits or {}, {}
  forgetWaits(prefix, id, text)
  rcall("HDEL", job, SUSPENSION)
  for index, wait in ipairs(waits) do
    if wait.kind == "jobs" then
      keys[index] = keysOf(prefix, wait.jobs)
      if lengthOfEnds(job, keys[index]) > MOST_STEP_BYTES then
        steps.large = wait.name
        return rcall("HGET", job, STEPS), excessOf(steps)
      end
    end
  end
  for index, wait in ipairs(waits) do
    if wait.kind == "jobs" then
      local value = valueOfJobs(job, wait.jobs, keys[index])
      countStep(steps, wait.name, #value)
      putStep(steps, wait.name, STEP_OF_JOBS, now, value)
    else
      saveEnd(steps, wait, now)
    end
  end
  return writeSteps(steps), excessOf(steps)
end
