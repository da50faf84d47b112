import type { Script } from '../connection/scripts.ts';
import { LARGEST_PIECE } from './read-jobs-script.ts';

/**
 * KEYS: job, active, prioritized, delayed, completed, failed, those that wait for children. ARGV: the job's
 * id. Answers the job's state and its hash, nothing when the key holds something that is not a job, or 1 in
 * place of the hash when the job is larger than what a script should copy. The sizes of the fields that grow
 * cost less than MEMORY USAGE. Where a job is not found anywhere else it waits: the waiting list can only be
 * searched from end to end.
 */
export const readJobScript: Script = {
  name: 'readJob',
  numberOfKeys: 7,
  lua: `
local job, active, prioritized, delayed, completed, failed, waitingChildren =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local id = ARGV[1]
local times = redis.pcall("HMGET", job, "processedOn", "finishedOn")
if times.err then return false end

local function stateOf(processedOn, finishedOn)
  local function isIn(key) return redis.call("ZSCORE", key, id) and true end
  if finishedOn and isIn(completed) then return "completed" end
  if finishedOn and isIn(failed) then return "failed" end
  if processedOn and redis.call("LPOS", active, id) then return "active" end
  if isIn(delayed) then return "delayed" end
  if isIn(prioritized) then return "prioritized" end
  if isIn(waitingChildren) then return "waiting-children" end
  return "waiting"
end

local size = redis.call("HSTRLEN", job, "data") + redis.call("HSTRLEN", job, "returnvalue")
  + redis.call("HSTRLEN", job, "progress")
return {stateOf(times[1], times[2]), size > ${LARGEST_PIECE} and 1 or redis.call("HGETALL", job)}
`,
};
