-- The recorded attempts of a job, if any, and one more. `rest` is what `endedCall` writes. A deferred attempt is
-- repeated under the same number.
local function withAttempt(recorded, startedAt, endedAt, rest)
  if not tonumber(startedAt) then startedAt = endedAt end
  local number, earlier = 1, ""
  if recorded then
    local start = (string.find(recorded, "\n[^\n]*$") or 0) + 1
    local last, code = string.match(recorded, '^%[(%d+),[^,]*,[^,]*,"(%a)"', start)
    number = (tonumber(last) or 0) + (code == OUTCOME_DEFERRED and 0 or 1)
    local _, others = string.gsub(recorded, "\n", "")
    if others >= KEPT_ATTEMPTS - 1 then recorded = string.sub(recorded, string.find(recorded, "\n", 1, true) + 1) end
    earlier = recorded .. "\n"
  end
  return earlier .. "[" .. number .. "," .. startedAt .. "," .. math.max(0, endedAt - startedAt) .. "," .. rest
end

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
