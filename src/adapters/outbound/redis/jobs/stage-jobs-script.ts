import type { Script } from '../connection/scripts.ts';
import { PLACE_OF } from './job-place.ts';

/**
 * Stores some jobs of a batch under keys that no client reads, for a limited time. KEYS: the key prefix of the
 * numbers of jobs. ARGV: the number of the first one, how long they are kept in ms, timestamp; then of each job
 * its place, name, data and options.
 */
export const stageJobsScript: Script = {
  name: 'stageJobs',
  numberOfKeys: 1,
  lua: `
${PLACE_OF}
local staged, first, kept, timestamp = KEYS[1], tonumber(ARGV[1]), ARGV[2], ARGV[3]
for index = 4, #ARGV, 4 do
  local delay, priority = placeOf(ARGV[index])
  local job = staged .. first + (index - 4) / 4
  redis.call("HSET", job, "name", ARGV[index + 1], "data", ARGV[index + 2], "opts", ARGV[index + 3],
    "timestamp", timestamp, "delay", delay, "priority", priority)
  redis.call("PEXPIRE", job, kept)
end
`,
};
