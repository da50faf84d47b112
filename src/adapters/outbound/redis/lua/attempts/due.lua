--- @include "adds/priority-score"

-- Jobs that one run has wait at the most since they are due.
local MOST_DUE_JOBS = 1000

-- Moves the delayed jobs that are due first to where jobs are taken next: up to `most` to the head of the waiting list,
-- and those before the last of them to their places among those with a priority. BullMQ moves all that are due to the
-- tail; the specification wants them ahead of waiting jobs, in due order (JobOpts, rule 3). The others stay delayed
-- until a job can be taken.
local function moveDueJobsToHead(queue, most)
  local due = (queue.timestamp + 1) * 0x1000 - 1
  local ahead = {}
  for _ = 1, MOST_DUE_JOBS do
    local id = #ahead < most and rcall("ZRANGEBYSCORE", queue.delayed, 0, due, "LIMIT", 0, 1)[1]
    if not id then break end
    rcall("ZREM", queue.delayed, id)
    rcall("XADD", queue.events, "*", "event", "waiting", "jobId", id, "prev", "delayed")
    local job = queue.prefix .. id
    rcall("HSET", job, "delay", 0)
    local priority = tonumber(rcall("HGET", job, "priority")) or 0
    if priority > 0 and priority <= 0x200000 then
      rcall("ZADD", queue.prioritized, getPriorityScore(priority, queue.priorityCounter), id)
    else
      ahead[#ahead + 1] = id
    end
  end
  for at = #ahead, 1, -1 do rcall("RPUSH", queue.wait, ahead[at]) end
end
