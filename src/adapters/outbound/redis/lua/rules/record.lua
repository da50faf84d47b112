--- @include "rules/with-attempt"

-- Records an attempt in the hash of its job, unless the job has no running attempt.
local function recordAttempt(jobKey, endedAt, rest)
  local job = rcall("HMGET", jobKey, "processedOn", RECORDED)
  if job[1] then rcall("HSET", jobKey, RECORDED, withAttempt(job[2], job[1], endedAt, rest)) end
end

-- The rest of the line of an attempt that ended otherwise than by its call, by the code of its outcome. A call with several
-- jobs is named by the beginning of its token.
local function takenAttempt(prefix, id, code, reason)
  local by, attempt = unpack(rcall("HMGET", prefix .. id, PROCESSED_BY, ATTEMPT))
  local call = string.sub(string.match(attempt or "", "^%d+:(.*)$") or "", 1, BATCH_ID_LENGTH)
  local size = rcall("GET", prefix .. CALL .. call)
  local ofCall = size and ',null,"' .. call .. '",' .. size or ""
  local replica = by and cjson.encode(by) or "null"
  return '"' .. code .. '",null,' .. replica .. ",null," .. (reason and cjson.encode(reason) or "null") .. ofCall .. "]"
end
