--- @include "bullmq/removeDeduplicationKeyIfNeededOnFinalization"
--- @include "bullmq/requeueDeduplicatedJob"
--- @include "reading/decoded"

-- Ends the deduplication that a job stands for, and adds the job that was kept to follow it. Its options stay the text
-- that they are: Lua would write empty lists and large numbers otherwise. Unreadable options have no effect.
local function endDeduplication(queue, deduplicationId, jobId)
  local prefix = queue.prefix
  removeDeduplicationKeyIfNeededOnFinalization(prefix, deduplicationId, jobId)
  local following = prefix .. "dn:" .. deduplicationId
  if rcall("EXISTS", following) == 0 then return end
  local kept = rcall("HMGET", following, "opts", "jid")
  if not next(decoded(kept[1])) then rcall("HSET", following, "opts", "{}") end
  requeueDeduplicatedJob(prefix, deduplicationId, queue.events, queue.meta, queue.active, queue.wait,
    prefix .. "paused", queue.marker, queue.prioritized, queue.priorityCounter, queue.delayed, queue.timestamp)
  if kept[1] then rcall("HSET", prefix .. (kept[2] or rcall("GET", prefix .. "id")), "opts", kept[1]) end
end
