import type { Script } from '../connection/scripts.ts';
import { RECORDED } from '../layout/attempt-lines.ts';

/** KEYS: job. Returns the record of its attempts, empty when there is none, or nothing without a job. */
export const readAttemptsScript: Script = {
  name: 'readAttempts',
  numberOfKeys: 1,
  lua: `
local job = redis.pcall("HMGET", KEYS[1], "name", "timestamp", "${RECORDED}")
if job.err or not job[1] or not job[2] then return false end
return job[3] or ""
`,
};
