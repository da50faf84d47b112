import type { Script } from '../connection/scripts.ts';
import { LARGEST_PIECE } from './read-jobs-script.ts';

/**
 * KEYS: active, prioritized, delayed, completed, failed, those that wait for children. ARGV: job key prefix,
 * then the ids of jobs. Answers for each the job's state and its hash, nothing when the key holds something
 * that is not a job, or 1 in place of the hash when it would make the answer longer than what a script should
 * copy. The sizes of the fields that grow cost less than MEMORY USAGE. Where a job is not found anywhere else it
 * waits: the waiting list can only be searched from end to end.
 */
export const readEachScript: Script = {
  name: 'readEach',
  numberOfKeys: 6,
  lua: `
local active, prioritized, delayed, completed, failed, waitingChildren =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local room = ${LARGEST_PIECE}

local function stateOf(id, processedOn, finishedOn)
  local function isIn(key) return redis.call("ZSCORE", key, id) and true end
  if finishedOn and isIn(completed) then return "completed" end
  if finishedOn and isIn(failed) then return "failed" end
  if processedOn and redis.call("LPOS", active, id) then return "active" end
  if isIn(delayed) then return "delayed" end
  if isIn(prioritized) then return "prioritized" end
  if isIn(waitingChildren) then return "waiting-children" end
  return "waiting"
end

local answers = {}
for index = 2, #ARGV do
  local id = ARGV[index]
  local job = ARGV[1] .. id
  local times = redis.pcall("HMGET", job, "processedOn", "finishedOn")
  if times.err then
    answers[#answers + 1] = false
  else
    room = room - redis.call("HSTRLEN", job, "data") - redis.call("HSTRLEN", job, "returnvalue")
      - redis.call("HSTRLEN", job, "progress")
    answers[#answers + 1] = {stateOf(id, times[1], times[2]), room < 0 and 1 or redis.call("HGETALL", job)}
  end
end
return answers
`,
};
