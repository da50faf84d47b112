--- @include "attempts/with-attempt"

-- Records an attempt in the hash of its job, unless the job has no running attempt.
local function recordAttempt(jobKey, endedAt, rest)
  local job = rcall("HMGET", jobKey, "processedOn", RECORDED, STEPS, ATTEMPT)
  if not job[1] then return end
  rcall("HSET", jobKey, RECORDED, withAttempt(job[2], job[1], endedAt, rest, job[3], job[4]))
end

-- The rest of the line of an attempt whose holder lost the job, by the code of its outcome. A call with several jobs is
-- named by the beginning of its token. An attempt of a native client has no token.
local function takenAttempt(prefix, id, code, reason)
  local by, attempt, startedAt, starts =
    unpack(rcall("HMGET", prefix .. id, PROCESSED_BY, ATTEMPT, "processedOn", "ats"))
  local start, token = string.match(attempt or "", "^(%d+):(.*)$")
  local replica = by and cjson.encode(by) or "null"
  local line = '"' .. code .. '",null,' .. replica .. ",null," .. (reason and cjson.encode(reason) or "null")
  if start ~= startedAt or not tonumber(starts) then return line .. "]" end
  local call = string.sub(token, 1, BATCH_ID_LENGTH)
  local size = rcall("GET", prefix .. CALL .. call)
  local ofCall = size and ',null,"' .. call .. '",' .. size or ",null,null,null"
  return line .. ofCall .. "," .. cjson.encode(token) .. "," .. starts .. "]"
end
