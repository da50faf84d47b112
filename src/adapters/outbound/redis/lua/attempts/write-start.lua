-- Writes that an attempt holds a job from now on.
--
-- starts: how often the job has started; group: empty for none; counted: as the field COUNTED has it, or nothing
local function writeStart(queue, claimant, id, starts, token, group, counted)
  local job, timestamp = queue.prefix .. id, queue.timestamp
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
