import type { Script } from '../connection/scripts.ts';
import { readJobs } from './read-jobs-script.ts';

/**
 * Counts of all statuses and the ids of one page over some of them, of the same moment, and the hashes of
 * the first jobs of the page, as many as one command may read. The offset runs over the statuses together,
 * so pages partition the jobs. Eight keys: waiting jobs are in two lists where an older BullMQ paused the
 * queue, and jobs that wait for their children are in no status. ARGV: job key prefix, start, length, then
 * one "1" or "0" per status in the order of the counts: active, waiting, prioritized, delayed, completed,
 * failed. Answers the counts, the number of jobs that wait for children, the ids and the hashes.
 */
export const listJobsScript: Script = {
  name: 'listJobs',
  numberOfKeys: 8,
  lua: `
local active, wait, paused, prioritized, delayed, completed, failed, waitingChildren =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local jobPrefix, skip, room = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local call = redis.call

local statuses = {{active}, {wait, paused}, {prioritized}, {delayed}, {completed}, {failed}}
local counts, page = {}, {}
for index, keys in ipairs(statuses) do
  local isList = index <= 2
  local total = 0
  for _, key in ipairs(keys) do
    local size = call(isList and "LLEN" or "ZCARD", key)
    total = total + size
    if ARGV[3 + index] == "1" then
      if skip >= size then
        skip = skip - size
      elseif room > 0 then
        local last = skip + room - 1
        local ids = call(isList and "LRANGE" or "ZREVRANGE", key, string.format("%.0f", skip), string.format("%.0f", last))
        for _, id in ipairs(ids) do page[#page + 1] = id end
        room = room - #ids
        skip = 0
      end
    end
  end
  counts[index] = total
end
${readJobs('page', 1)}
return {counts, call("ZCARD", waitingChildren), page, jobs}
`,
};
