-- Writes that an attempt holds a job from now on.
--
-- job: its key; starts: how often it has started; group: empty for none; counted: as the field COUNTED has it, or
--   nothing
local function writeStart(queue, claimant, id, job, starts, token, group, counted)
  local timestamp = queue.timestamp
  rcall("SET", job .. ":lock", token, "PX", claimant.lockDuration)
  if group ~= "" then
    rcall("XADD", queue.events, "*", "event", "active", "jobId", id, "prev", "waiting", "group", group)
  else
    rcall("XADD", queue.events, "*", "event", "active", "jobId", id, "prev", "waiting")
  end
  if counted then rcall("HSET", job, COUNTED, counted) end
  local held = timestamp .. ":" .. token
  if claimant.pulled then
    rcall("HSET", job, "processedOn", timestamp, ATTEMPT, held, "ats", starts, PROCESSED_BY, claimant.replica,
      PULLED_BY, token)
  else
    rcall("HSET", job, "processedOn", timestamp, ATTEMPT, held, "ats", starts, PROCESSED_BY, claimant.replica)
  end
end
