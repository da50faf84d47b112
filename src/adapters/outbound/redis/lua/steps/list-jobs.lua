-- Reads one page of the jobs of some statuses. The offset runs over the statuses together, so pages partition the jobs.
-- Returns, all of the same moment, the counts of all statuses, the number of jobs that wait for children, the ids of
-- the page, and the hashes of the first of its jobs, as many as one command may read. Waiting jobs are in two lists
-- where an older BullMQ paused the queue, and jobs that wait for their children are in no status.
--
-- KEYS[1] active
-- KEYS[2] wait
-- KEYS[3] paused
-- KEYS[4] prioritized
-- KEYS[5] delayed
-- KEYS[6] completed
-- KEYS[7] failed
-- KEYS[8] waiting for children
--
-- ARGV[1] job key prefix
-- ARGV[2] where the page starts
-- ARGV[3] its length
-- ARGV[4…9] "1" or "0" for each status in the order of the counts: active, waiting, prioritized, delayed, completed,
-- failed
--- @include "rules/read-jobs"

local active, wait, paused, prioritized, delayed, completed, failed, waitingChildren =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local jobPrefix, skip, room = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local statuses = {{active}, {wait, paused}, {prioritized}, {delayed}, {completed}, {failed}}
local counts, page = {}, {}
for index, keys in ipairs(statuses) do
  local isList = index <= 2
  local total = 0
  for _, key in ipairs(keys) do
    local size = rcall(isList and "LLEN" or "ZCARD", key)
    total = total + size
    if ARGV[3 + index] == "1" then
      if skip >= size then
        skip = skip - size
      elseif room > 0 then
        local first, last = string.format("%.0f", skip), string.format("%.0f", skip + room - 1)
        local ids = rcall(isList and "LRANGE" or "ZREVRANGE", key, first, last)
        for _, id in ipairs(ids) do page[#page + 1] = id end
        room = room - #ids
        skip = 0
      end
    end
  end
  counts[index] = total
end
return {counts, rcall("ZCARD", waitingChildren), page, readJobs(jobPrefix, page, 1)}
