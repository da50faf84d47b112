import type { Script } from '../connection/scripts.ts';
import { STORE_TIME } from '../gate/gate-lua.ts';

/** The time, in epoch ms, of the server that holds the queues. KEYS: the registry, for its slot. */
export const storeTimeScript: Script = {
  name: 'storeTime',
  numberOfKeys: 1,
  lua: `
local rcall = redis.call
${STORE_TIME}
return math.floor(storeTime())
`,
};

/**
 * The first entry of each stream that may have dropped entries. KEYS: the registry, for its slot. ARGV: the prefix of
 * queue names, then the names. Returns their ids, empty for a stream below its maximum length.
 */
export const firstKeptScript: Script = {
  name: 'firstKept',
  numberOfKeys: 1,
  lua: `
local firsts = {}
for index = 2, #ARGV do
  local queue = ARGV[1] .. ARGV[index]
  local length = redis.call("XLEN", queue .. ":events")
  local most = tonumber(redis.call("HGET", queue .. ":meta", "opts.maxLenEvents") or 0)
  local first = length >= most and redis.call("XRANGE", queue .. ":events", "-", "+", "COUNT", 1)[1]
  firsts[index - 1] = first and first[1] or ""
end
return firsts
`,
};
