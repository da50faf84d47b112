import type { Script } from '../connection/scripts.ts';

/**
 * Counts of all statuses and one page over some of them, of the same moment. The offset runs over the
 * statuses together, so pages partition the jobs. Seven keys: waiting jobs are in two lists where an
 * older BullMQ paused the queue. ARGV: job key prefix, start, length, then one "1" or "0" per status in
 * the order of the counts: active, waiting, prioritized, delayed, completed, failed.
 */
export const listJobsScript: Script = {
  name: 'listJobs',
  numberOfKeys: 7,
  lua: `
local active, wait, paused, prioritized, delayed, completed, failed =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local jobPrefix, skip, room = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local call = redis.call

local statuses = {{active}, {wait, paused}, {prioritized}, {delayed}, {completed}, {failed}}
local counts, jobs = {}, {}
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
        for _, id in ipairs(ids) do
          jobs[#jobs + 1] = {id, call("HGETALL", jobPrefix .. id)}
        end
        room = room - #ids
        skip = 0
      end
    end
  end
  counts[index] = total
end
return {counts, jobs}
`,
};
