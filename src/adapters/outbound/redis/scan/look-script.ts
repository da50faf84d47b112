import type { Script } from '../connection/scripts.ts';
import { STATE_KEYS, stateOf } from '../jobs/job-state.ts';
import { READ_FIELDS } from './read-fields.ts';

/**
 * KEYS: `stateKeys`. ARGV: job key prefix, how many jobs, their ids, the fields to read of each. Answers for each its
 * state and fields, or nothing when it is not there.
 */
export const lookScript: Script = {
  name: 'look',
  numberOfKeys: STATE_KEYS,
  lua: `
local prefix, count = ARGV[1], tonumber(ARGV[2])
local firstField = 3 + count
${READ_FIELDS}
${stateOf(1)}
local answers = {}
for index = 1, count do
  local id = ARGV[2 + index]
  local record = readFields(id)
  local times = record and redis.call("HMGET", prefix .. id, "processedOn", "finishedOn")
  answers[index] = record and {stateOf(id, times[1], times[2]), record}
end
return answers
`,
};
