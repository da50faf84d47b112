import type { Script } from '../connection/scripts.ts';

/**
 * The end of a place, where its oldest jobs are. KEYS: the place. ARGV: `list` or `set`, most jobs. Answers how many
 * jobs there are, and the ids, the last one first.
 */
export const placeEndScript: Script = {
  name: 'placeEnd',
  numberOfKeys: 1,
  lua: `
local place, most = KEYS[1], tonumber(ARGV[2])
if ARGV[1] == "set" then
  return {redis.call("ZCARD", place), most > 0 and redis.call("ZRANGE", place, 0, most - 1) or {}}
end
local ids, last = {}, most > 0 and redis.call("LRANGE", place, -most, -1) or {}
for index = #last, 1, -1 do ids[#ids + 1] = last[index] end
return {redis.call("LLEN", place), ids}
`,
};
