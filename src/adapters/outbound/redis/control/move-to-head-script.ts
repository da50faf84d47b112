import type { Script } from '../connection/scripts.ts';

/** Jobs that one step looks at: it takes about a millisecond, and as long again to walk to what it found. */
export const PIECE = 4000;

/** Jobs of a list in which each of them is found at once. */
const LONGEST_SHORT_LIST = 5000;

/** In the place of a job in the list until it is taken out. No job can have this id: it has one colon. */
const GONE = 'jobgate:gone';

/**
 * Moves jobs to the head of their list that are in one piece of it. Those that come from behind stay behind, and all
 * others in their order. To take jobs out of a list the store walks to them, so all that were found go in one walk.
 *
 * KEYS: the list, the prioritized jobs. ARGV: how many jobs to pass at the end where jobs are taken, then the ids.
 * Answers how many jobs were looked at, none when the list is short, and the ids of those that were moved.
 */
export const moveToHeadScript: Script = {
  name: 'moveToHead',
  numberOfKeys: 2,
  lua: `
local list, skip = KEYS[1], tonumber(ARGV[1])
local length = redis.call("LLEN", list)
if length <= ${LONGEST_SHORT_LIST} then return {0, {}} end
local wanted, found = {}, {}
for index = 2, #ARGV do wanted[ARGV[index]] = true end
local ids = redis.call("LRANGE", list, -(skip + ${PIECE}), -(skip + 1))
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
redis.call("ZREM", KEYS[2], "")
for back = 1, #ids do
  local id = ids[#ids + 1 - back]
  if wanted[id] then
    redis.call("LSET", list, -(skip + back), "${GONE}")
    found[#found + 1] = id
  end
end
if #found > 0 then
  redis.call("LREM", list, skip > length / 2 and #found or -#found, "${GONE}")
  redis.call("LPUSH", list, unpack(found))
end
return {#ids, found}
`,
};
