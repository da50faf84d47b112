-- In TypeScript: domain/transitions/expire
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
