import type { Script } from '../connection/scripts.ts';
import { STATE_KEYS, stateOf } from '../jobs/job-state.ts';
import { READ_FIELDS } from './read-fields.ts';

/**
 * KEYS: `stateKeys`. ARGV: job key prefix, how many jobs, their ids, the fields to read of each. Answers for each of
 * the first, as many as an answer may hold, its state and fields, or nothing when it is not there.
 */
export const lookScript: Script = {
  name: 'look',
  numberOfKeys: STATE_KEYS,
  lua: `
local prefix, count = ARGV[1], tonumber(ARGV[2])
local firstField = 3 + count
${READ_FIELDS}
${stateOf(1)}
local ids, answers = {}, {}
for index = 1, count do ids[index] = ARGV[2 + index] end
for index, row in ipairs(readFirst(ids, count)) do
  local id = ids[index]
  local times = row and redis.call("HMGET", prefix .. id, "processedOn", "finishedOn")
  answers[index] = row and {stateOf(id, times[1], times[2]), row}
end
return answers
`,
};
