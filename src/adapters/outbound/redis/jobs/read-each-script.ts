import { WITHOUT_RECORD } from '../layout/attempt-lines.ts';
import type { Script } from '../connection/scripts.ts';
import { STATE_KEYS, stateOf } from './job-state.ts';
import { LARGEST_PIECE } from './read-jobs-script.ts';

/**
 * KEYS: `stateKeys`. ARGV: job key prefix, then the ids of jobs. Answers for each the job's state and its hash, nothing when the key holds something
 * that is not a job, or 1 in place of the hash when it would make the answer longer than what a script should
 * copy. The sizes of the fields that grow cost less than MEMORY USAGE.
 */
export const readEachScript: Script = {
  name: 'readEach',
  numberOfKeys: STATE_KEYS,
  lua: `
local room = ${LARGEST_PIECE}

${stateOf(1)}${WITHOUT_RECORD}local answers = {}
for index = 2, #ARGV do
  local id = ARGV[index]
  local job = ARGV[1] .. id
  local times = redis.pcall("HMGET", job, "processedOn", "finishedOn")
  if times.err then
    answers[#answers + 1] = false
  else
    room = room - redis.call("HSTRLEN", job, "data") - redis.call("HSTRLEN", job, "returnvalue")
      - redis.call("HSTRLEN", job, "progress")
    answers[#answers + 1] = {stateOf(id, times[1], times[2]), room < 0 and 1 or withoutRecord(redis.call("HGETALL", job))}
  end
end
return answers
`,
};
