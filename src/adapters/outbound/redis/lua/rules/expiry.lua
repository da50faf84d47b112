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

-- Fails a job that no list and no set of its queue holds any more, as the library fails one after an attempt. The
-- retention is that of the job, since the caller may not know its worker. Inner definitions cost nothing where no
-- job expires.
local function failExpired(prefix, jobId, expires, timestamp, prev)
  --- @include "bullmq/removeDeduplicationKeyIfNeededOnFinalization"
  --- @include "bullmq/moveChildFromDependenciesIfNeeded"
  --- @include "bullmq/removeJobKeys"
  --- @include "bullmq/removeParentDependencyKey"
  --- @include "bullmq/removeJobsByMaxAge"
  --- @include "bullmq/removeJobsByMaxCount"
  --- @include "rules/retention"
  local jobKey, failed = prefix .. jobId, prefix .. "failed"
  -- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
  rcall("ZREM", prefix .. EXPIRING, jobId)
  rcall("HDEL", jobKey, EXPIRES)
  local record = rcall("HMGET", jobKey, "opts", "deid", "timestamp", "parent", "parentKey")
  local reason = "Expired after " .. string.format("%.0f", expires - record[3]) .. " ms"
  removeDeduplicationKeyIfNeededOnFinalization(prefix, record[2], jobId)
  local isJson, parent = pcall(cjson.decode, record[4] or "null")
  if isJson and type(parent) == "table" and type(parent.id) == "string" and type(parent.queueKey) == "string" then
    moveChildFromDependenciesIfNeeded(record[4], jobKey, reason, timestamp)
  end
  local keep = retention(record[1], "failed", {})
  if keep.count == 0 then
    removeJobKeys(jobKey)
    if record[5] then removeParentDependencyKey(jobKey, false, record[5]) end
  else
    rcall("HSET", jobKey, "failedReason", reason, "finishedOn", timestamp, "delay", 0)
    rcall("ZADD", failed, timestamp, jobId)
    if keep.age then removeJobsByMaxAge(timestamp, keep.age, failed, prefix, keep.limit or MOST_REMOVED_FOR_AGE) end
    if keep.count and keep.count > 0 then removeJobsByMaxCount(keep.count, failed, prefix) end
  end
  rcall("XADD", prefix .. "events", "*", "event", "failed", "jobId", jobId, "failedReason", reason, "prev", prev)
end
