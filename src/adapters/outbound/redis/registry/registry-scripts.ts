import type { Script } from '../connection/scripts.ts';
import { GATED, HELD_SPAN, STORE_TIME } from '../gate/gate-lua.ts';
import { SUMMARY_OF } from '../jobs/queue-summary.ts';
import { REGISTER_QUEUE } from './create-queue.ts';

/** Lua: the keys of a queue's metadata and statuses. One of them is there as long as the queue is. */
const KEYS_OF_A_QUEUE = `
local function keysOf(queue)
  return queue .. ":meta", queue .. ":active", queue .. ":wait", queue .. ":paused", queue .. ":prioritized",
    queue .. ":delayed", queue .. ":completed", queue .. ":failed"
end
`;

/**
 * Removes queues from the registry that other clients have deleted. KEYS: registry. ARGV: what stands
 * before a queue's name, then the names. Answers the names of the queues that are there.
 */
export const sortOutQueuesScript: Script = {
  name: 'sortOutQueues',
  numberOfKeys: 1,
  lua: `
${KEYS_OF_A_QUEUE}
local there, gone = {}, {}
for index = 2, #ARGV do
  local found = redis.call("EXISTS", keysOf(ARGV[1] .. ARGV[index])) > 0 and there or gone
  found[#found + 1] = ARGV[index]
end
if #gone > 0 then redis.call("ZREM", KEYS[1], unpack(gone)) end
return there
`,
};

/**
 * Looks at each of some queues. KEYS: registry, for its slot. ARGV: what stands before a queue's name, then the
 * names. Answers for each whether it is paused, its summary and, when it is held, since and until when (epoch ms); or
 * nothing where there is no queue, and where keys of its names hold something else.
 */
export const readQueuesScript: Script = {
  name: 'readQueues',
  numberOfKeys: 1,
  lua: `
local rcall = redis.call
${STORE_TIME}${HELD_SPAN}
${SUMMARY_OF}
${KEYS_OF_A_QUEUE}
local function glance(queue)
  local meta, active, wait, paused, prioritized, delayed, completed, failed = keysOf(queue)
  local summary = summaryOf(active, wait, paused, prioritized, delayed, completed, failed, queue .. ":")
  local jobs = 0
  for _, count in ipairs(summary[1]) do jobs = jobs + count end
  if jobs == 0 and rcall("EXISTS", meta) == 0 then return false end
  local settings = rcall("HMGET", meta, "paused", "${GATED}")
  local paused = settings[1] and 1 or 0
  if not settings[2] then return {paused, summary} end
  return {paused, summary, heldSpan(queue .. ":")}
end

local glances = {}
for index = 2, #ARGV do
  local isRead, answer = pcall(glance, ARGV[1] .. ARGV[index])
  glances[index - 1] = isRead and answer
end
return glances
`,
};

/**
 * Lists queues in the registry that other clients made. KEYS: registry. ARGV: the prefix of queue names, then the names.
 */
export const registerQueuesScript: Script = {
  name: 'registerQueues',
  numberOfKeys: 1,
  lua: `
${REGISTER_QUEUE}
for index = 2, #ARGV do
  local meta = ARGV[1] .. ARGV[index] .. ":meta"
  if redis.call("TYPE", meta).ok == "hash" then
    registerQueue(KEYS[1], meta)
    redis.call("ZADD", KEYS[1], 0, ARGV[index])
  end
end
`,
};
