-- How many calls run of a queue whose worker gets several jobs with one, besides the call named `own`: the tokens of
-- the jobs that run name their calls, and a job without a token is a call of its own.
local function runningCalls(prefix, active, hasGate, own)
  local calls, count = {[own] = true}, 0
  local function note(call)
    if not calls[call] then
      calls[call] = true
      count = count + 1
    end
  end
  for _, id in ipairs(rcall("LRANGE", active, 0, -1)) do
    local attempt = redis.pcall("HGET", prefix .. id, ATTEMPT)
    local token = type(attempt) == "string" and string.match(attempt, "^%d+:(.+)$")
    note(token and string.sub(token, 1, BATCH_ID_LENGTH) or "job:" .. id)
  end
  for _, token in ipairs(hasGate and rcall("ZRANGE", prefix .. GATE_ENDING, 0, -1) or {}) do
    note(string.sub(token, 1, BATCH_ID_LENGTH))
  end
  return count
end
