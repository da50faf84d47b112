-- In TypeScript: domain/transitions/expire

-- Most jobs that a run fails because their time to start is over. Beyond it, the claimant is woken to ask again.
local MOST_FAILED_BY_CLAIMS = 100

-- Until when the job of a record, as HGETALL answers it, must start; nothing when it may at any time.
local function expiryOf(record)
  for field = 1, #record, 2 do
    if record[field] == EXPIRES then return tonumber(record[field + 1]) end
  end
end

-- A job that starts in time does not expire any more.
local function startedInTime(prefix, jobId)
  rcall("HDEL", prefix .. jobId, EXPIRES)
  rcall("ZREM", prefix .. EXPIRING, jobId)
end

-- A job that did not start in time failed for good, so it may block its group.
local function blockItsGroup(queue, group, id)
  --- @include "groups/group-orders"
  blockGroup(queue, group, id)
end

-- Fails a job that no list and no other set of its queue holds any more. It stays among the expiring ones until the
-- sweep takes it out, which reports it. The retention is that of the job, since the run may not know its worker. The
-- run includes attempts/finish before this file. Returns the reason.
local function failExpired(queue, id, expires, prev)
  local job = queue.prefix .. id
  -- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
  rcall("HDEL", job, EXPIRES)
  local record = rcall("HMGET", job, "parentKey", "parent", "deid", "opts", "timestamp")
  local reason = EXPIRED_AFTER .. string.format("%.0f", expires - record[5]) .. " ms"
  if finish(queue, id, "failed", reason, record, {}, prev, 0, nil, "job.expired") then
    rcall("HSET", job, "failedReason", reason, "finishedOn", queue.timestamp, "delay", 0)
    local group = rcall("HGET", job, GROUP)
    if group then blockItsGroup(queue, group, id) end
  end
  return reason
end
