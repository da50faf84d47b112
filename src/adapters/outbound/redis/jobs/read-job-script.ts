import type { Script } from '../connection/scripts.ts';
import { LARGEST_PIECE } from './read-jobs-script.ts';

/**
 * KEYS: job. Answers its hash, nothing when the key holds something that is not a job, or 1 when the job is
 * larger than what a script should copy. The sizes of the fields that grow cost less than MEMORY USAGE.
 */
export const readJobScript: Script = {
  name: 'readJob',
  numberOfKeys: 1,
  lua: `
local size = redis.pcall("HSTRLEN", KEYS[1], "data")
if type(size) ~= "number" then return false end
size = size + redis.call("HSTRLEN", KEYS[1], "returnvalue") + redis.call("HSTRLEN", KEYS[1], "progress")
if size > ${LARGEST_PIECE} then return 1 end
return redis.call("HGETALL", KEYS[1])
`,
};
