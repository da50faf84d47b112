import type { Script } from '../connection/scripts.ts';

/**
 * Counts of all statuses, and when the job could start that has waited longest (as text, and only when one
 * waits): its timestamp and the delay that it was added with. It stands at an end of the waiting jobs, first
 * of the prioritized ones, or first of those of the lowest priority. Seven keys: waiting jobs are in two
 * lists where an older BullMQ paused the queue. ARGV: job key prefix.
 */
export const summarizeQueueScript: Script = {
  name: 'summarizeQueue',
  numberOfKeys: 7,
  lua: `
local active, wait, paused, prioritized, delayed, completed, failed =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local jobPrefix = ARGV[1]
local call = redis.call
local PRIORITY_STEP = 0x100000000

local since
local function look(id)
  local job = call("HMGET", jobPrefix .. id, "timestamp", "opts")
  local timestamp = tonumber(job[1] or nil)
  if not timestamp then return end
  local isJson, opts = pcall(cjson.decode, job[2] or "")
  local delay = isJson and type(opts) == "table" and tonumber(opts.delay) or 0
  since = math.min(since or timestamp + delay, timestamp + delay)
end

for _, list in ipairs({wait, paused}) do
  for _, place in ipairs({0, -1}) do
    local id = call("LINDEX", list, place)
    if id then look(id) end
  end
end

local first = call("ZRANGE", prioritized, 0, 0)[1]
if first then
  look(first)
  local last = tonumber(call("ZREVRANGE", prioritized, 0, 0, "WITHSCORES")[2])
  local lowest = string.format("%.0f", last - last % PRIORITY_STEP)
  look(call("ZRANGEBYSCORE", prioritized, lowest, "+inf", "LIMIT", 0, 1)[1])
end

local counts = {
  call("LLEN", active),
  call("LLEN", wait) + call("LLEN", paused),
  call("ZCARD", prioritized),
  call("ZCARD", delayed),
  call("ZCARD", completed),
  call("ZCARD", failed),
}
return {counts, since and string.format("%.0f", since)}
`,
};
