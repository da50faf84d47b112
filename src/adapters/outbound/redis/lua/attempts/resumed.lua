--- @include "attempts/resume"

-- Ends the suspension of a job that starts. Its record, which is that of HGETALL, shows its steps, and why it must fail
-- if they are too many. Returns what is known of them.
local function resumed(prefix, id, record, suspension, timestamp)
  local steps, excess = resume(prefix, id, suspension, timestamp)
  if excess then rcall("HSET", prefix .. id, DEFERRED_FAILURE, excess) end
  for name, value in pairs({[STEPS] = steps, [DEFERRED_FAILURE] = excess}) do
    record[#record + 1], record[#record + 2] = name, value
  end
  return steps
end
