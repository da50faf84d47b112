import type { Script } from '../connection/scripts.ts';
import { READ_FIELDS } from './read-fields.ts';

/**
 * The next jobs of a sorted set, from its end. Where a place was is found by halving, whether its job is still there
 * or not. KEYS: the set. ARGV: job key prefix, most jobs, the score and id of the job behind which to begin, empty
 * for the end of the set, the fields to read of each. Answers the ids each with its score, and the fields of the
 * first; none where no field is asked for.
 */
export const scanSetScript: Script = {
  name: 'scanSet',
  numberOfKeys: 1,
  lua: `
local set, prefix, most, score, id = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local firstField = 5
local call = redis.call
${READ_FIELDS}
-- As the store compares them: byte by byte.
local function isLess(one, other)
  for at = 1, math.min(#one, #other) do
    local a, b = string.byte(one, at), string.byte(other, at)
    if a ~= b then return a < b end
  end
  return #one < #other
end

local first = 0
if score ~= "" then
  local bound, last = tonumber(score), call("ZCARD", set)
  while first < last do
    local middle = math.floor((first + last) / 2)
    local member = call("ZREVRANGE", set, middle, middle, "WITHSCORES")
    local its = tonumber(member[2])
    if its < bound or (its == bound and isLess(member[1], id)) then last = middle else first = middle + 1 end
  end
end

local members = call("ZREVRANGE", set, first, first + most - 1, "WITHSCORES")
if not ARGV[firstField] then return {members} end
local ids = {}
for index = 1, #members, 2 do ids[#ids + 1] = members[index] end
return {members, readFirst(ids, most)}
`,
};
