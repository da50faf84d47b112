--- @include "rules/priority-score"

-- Moves the delayed job that is due first to where it is taken next: the head of the waiting list, or its place among
-- those with a priority. BullMQ moves all that are due to the tail; the specification wants them ahead of waiting jobs,
-- in due order (JobOpts, rule 3). The others stay delayed until a job can be taken.
local function moveDueJobToHead(queue)
  local due = (queue.timestamp + 1) * 0x1000 - 1
  for _ = 1, 1000 do
    local id = rcall("ZRANGEBYSCORE", queue.delayed, 0, due, "LIMIT", 0, 1)[1]
    if not id then return end
    rcall("ZREM", queue.delayed, id)
    rcall("XADD", queue.events, "*", "event", "waiting", "jobId", id, "prev", "delayed")
    local job = queue.prefix .. id
    rcall("HSET", job, "delay", 0)
    local priority = tonumber(rcall("HGET", job, "priority")) or 0
    if not (priority > 0 and priority <= 0x200000) then
      rcall("RPUSH", queue.wait, id)
      return
    end
    rcall("ZADD", queue.prioritized, getPriorityScore(priority, queue.priorityCounter), id)
  end
end
