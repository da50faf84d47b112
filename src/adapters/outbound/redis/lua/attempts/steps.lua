-- In TypeScript: domain/transitions/steps, domain/steps/step
-- The steps of a job: how many there are and what they take is in the hash of the job, their values beside it.

-- What is known of the steps of a job. `text`: that field of the job where it was read, or false.
local function stepsOf(job, text)
  if text == nil then text = rcall("HGET", job, STEPS) end
  local last, count, bytes, token, names = string.match(text or "0:0:0::", "^(%d+):(%d+):(%d+):([^:]*):(.*)$")
  return {job = job, last = tonumber(last) or 0, count = tonumber(count) or 0, bytes = tonumber(bytes) or 0,
    token = token or "", names = {names ~= "" and names or nil}}
end

-- Counts one more step, which may be too much.
local function countStep(steps, name, size)
  steps.count, steps.bytes = steps.count + 1, steps.bytes + size
  if size > MOST_STEP_BYTES then steps.large = steps.large or name end
end

-- Which bound the counted steps exceed, in words; nothing for none.
local function excessOf(steps)
  if steps.count > MOST_STEPS then return "More than " .. MOST_STEPS .. " steps" end
  if steps.large then return "Step " .. steps.large .. " exceeds " .. MOST_STEP_BYTES / 1024 .. " kB" end
  if steps.bytes > MOST_STEPS_BYTES then return "Steps exceed " .. MOST_STEPS_BYTES / 1048576 .. " MB" end
end

-- Saves the value of a step that is counted. `writeSteps` comes after the last one. Returns what it wrote.
local function putStep(steps, name, kind, at, value)
  steps.last = steps.last + 1
  local saved = string.format("%.0f:%s:%.0f:", steps.last, kind, at) .. value
  rcall("HSET", steps.job .. STEP_VALUES, name, saved)
  return saved
end

-- The attempt with this token saved the step.
local function noteSaved(steps, token, name)
  if steps.token ~= token then steps.token, steps.names = token, {} end
  steps.names[#steps.names + 1] = name
end

-- Returns what it wrote; nothing when there are no steps.
local function writeSteps(steps)
  if steps.count <= 0 then
    rcall("HDEL", steps.job, STEPS)
    return nil
  end
  local text = string.format("%.0f:%.0f:%.0f:", steps.last, steps.count, steps.bytes) .. steps.token .. ":" ..
    table.concat(steps.names, ",")
  rcall("HSET", steps.job, STEPS, text)
  return text
end
