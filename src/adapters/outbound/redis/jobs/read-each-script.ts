import { RECORDED } from '../layout/attempt-lines.ts';
import type { Script } from '../connection/scripts.ts';
import { STATE_KEYS, stateOf } from './job-state.ts';
import { LARGEST_PIECE } from '../layout/largest-piece.ts';

/**
 * KEYS: `stateKeys`. ARGV: job key prefix, then the ids of jobs. Answers for each the job's state and its hash, nothing
 * when the key holds something that is not a job, or 1 in place of the hash when it would make the answer longer than
 * what a script should copy. The sizes of the fields that grow cost less than MEMORY USAGE, and going over the fields
 * that were read less than asking for some of them.
 */
export const readEachScript: Script = {
  name: 'readEach',
  numberOfKeys: STATE_KEYS,
  lua: `
local room = ${LARGEST_PIECE}

${stateOf(1)}local function read(id, job)
  local hash, processedOn, finishedOn = redis.call("HGETALL", job), false, false
  for index = 1, #hash, 2 do
    local field = hash[index]
    if field == "processedOn" then processedOn = hash[index + 1]
    elseif field == "finishedOn" then finishedOn = hash[index + 1]
    elseif field == "${RECORDED}" then hash[index + 1] = "" end
  end
  return {stateOf(id, processedOn, finishedOn), hash}
end
local answers = {}
for index = 2, #ARGV do
  local id = ARGV[index]
  local job = ARGV[1] .. id
  local data = redis.pcall("HSTRLEN", job, "data")
  if type(data) ~= "number" then
    answers[#answers + 1] = false
  else
    room = room - data - redis.call("HSTRLEN", job, "returnvalue") - redis.call("HSTRLEN", job, "progress")
    if room >= 0 then
      answers[#answers + 1] = read(id, job)
    else
      local times = redis.call("HMGET", job, "processedOn", "finishedOn")
      answers[#answers + 1] = {stateOf(id, times[1], times[2]), 1}
    end
  end
end
return answers
`,
};
