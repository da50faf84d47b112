--- @include "rules/with-attempt"

-- Records an attempt in the hash of its job, unless the job has no running attempt.
local function recordAttempt(jobKey, endedAt, rest)
  local job = rcall("HMGET", jobKey, "processedOn", RECORDED)
  if job[1] then rcall("HSET", jobKey, RECORDED, withAttempt(job[2], job[1], endedAt, rest)) end
end

-- The rest of the line of an attempt that ended otherwise than by its call, by the code of its outcome.
local function takenAttempt(jobKey, code, reason)
  local by = rcall("HGET", jobKey, PROCESSED_BY)
  local replica = by and cjson.encode(by) or "null"
  return '"' .. code .. '",null,' .. replica .. ",null," .. (reason and cjson.encode(reason) or "null") .. "]"
end
