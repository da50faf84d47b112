import type { Script } from '../connection/scripts.ts';
import { GATE_ENDING, LEAVE_GATE } from './gate-lua.ts';

/**
 * Frees the slot of an ended call with a cancelled job, if it still has one, and wakes one waiter for jobs.
 * KEYS: metadata, marker. ARGV: the prefix of the queue's keys, the token of the attempt.
 */
export const endCallScript: Script = {
  name: 'endCall',
  numberOfKeys: 2,
  lua: `
local rcall = redis.call
${LEAVE_GATE}
if rcall("ZREM", ARGV[1] .. "${GATE_ENDING}", ARGV[2]) == 1 then
    leaveGate(ARGV[1])
    rcall("ZADD", KEYS[2], 0, "0")
end
`,
};
