import type { Script } from '../connection/scripts.ts';
import { PLANNING, PLANNING_KEYS, SLOT_IS_TAKEN } from './planning-lua.ts';

/** The first write takes no memory: a store without free memory refuses a script that begins with any other. */
const EVEN_WHEN_FULL = 'rcall("ZREM", delayed, "")';

/**
 * Plans the job after one that starts, if that is the next one of its scheduler. KEYS: `planningKeys`. ARGV:
 * those of `PLANNING`; the job that starts. Returns 0 when it is not the next one, SLOT_IS_TAKEN, or 1.
 */
export const planNextJobScript: Script = {
  name: 'planNextJob',
  numberOfKeys: PLANNING_KEYS,
  lua: `
${PLANNING}
${EVEN_WHEN_FULL}
local score = rcall("ZSCORE", schedulers, id)
if not score or jobIdOf(score) ~= ARGV[7] or rcall("HEXISTS", record, "ic") == 0 then return 0 end
if isTaken(slot) then return ${SLOT_IS_TAKEN} end
rcall("HINCRBY", record, "ic", 1)
plan()
return 1
`,
};

/**
 * Removes a job that a claim has put aside, and plans the one of a later slot in its place if it is the next one of
 * its scheduler. KEYS: `planningKeys`. ARGV: those of `PLANNING`; the job. Returns 0 when it has started or was
 * removed, SLOT_IS_TAKEN, or 1.
 */
export const skipSlotScript: Script = {
  name: 'skipSlot',
  numberOfKeys: PLANNING_KEYS,
  lua: `
${PLANNING}
${EVEN_WHEN_FULL}
local jobId = ARGV[7]
local score = rcall("ZSCORE", schedulers, id)
local plans = slot ~= "" and score and jobIdOf(score) == jobId
if plans and isTaken(slot) then return ${SLOT_IS_TAKEN} end
if not withdraw(jobId, true) then return 0 end
if plans then plan() end
return 1
`,
};
