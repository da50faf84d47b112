import type { Script } from '../connection/scripts.ts';
import { CREATE_QUEUE } from '../registry/create-queue.ts';
import { END_HOLD, HOLD, STORE_TIME } from './gate-lua.ts';

/**
 * Holds a queue, which it creates. KEYS: metadata, registry. ARGV: what stands before the queue's keys, for how many
 * ms. Answers until when (epoch ms) it is held.
 */
export const holdScript: Script = {
  name: 'hold',
  numberOfKeys: 2,
  lua: `
local rcall = redis.call
${STORE_TIME}${HOLD}${CREATE_QUEUE}
local meta, registry = KEYS[1], KEYS[2]
local till = hold(ARGV[1], tonumber(ARGV[2]))
createQueue(registry, meta)
return till
`,
};

/** How many keys `placeKeys` has. */
const PLACES = 8;

/**
 * Ends the hold of a queue and wakes one waiter for its jobs; each that takes one wakes another. KEYS:
 * `placeKeys`, metadata, marker. ARGV: what stands before the queue's keys. Answers 1, or 0 when there is no queue.
 */
export const endHoldScript: Script = {
  name: 'endHold',
  numberOfKeys: PLACES + 2,
  lua: `
local rcall = redis.call
${END_HOLD}
if rcall("EXISTS", unpack(KEYS, 1, ${PLACES + 1})) == 0 then return 0 end
if endHold(ARGV[1]) then rcall("ZADD", KEYS[${PLACES + 2}], 0, "0") end
return 1
`,
};
