import { LARGEST_PIECE } from '../layout/largest-piece.ts';
import { WITHOUT_RECORD } from '../layout/attempt-lines.ts';
import type { Script } from '../connection/scripts.ts';

/** From what size on a job is looked at for what is on record of its attempts, in bytes. */
const LONG = 1024;

/** Most jobs that one command reads. */
export const MOST_JOBS = 100;

/**
 * Lua that makes `jobs`, the hashes of some jobs in order: from position `first` of the ids on, and as many
 * as one command may read, none when already the first is too large. What is no job is an empty hash. It
 * expects `jobPrefix`.
 *
 * The size is asked for before the job is read, because what a script reads is copied twice more. One
 * question for all fields is quickest; a store or a user without MEMORY is asked for the fields that grow.
 */
export function readJobs(ids: string, first: number): string {
  return `
${WITHOUT_RECORD}local jobs, room = {}, ${LARGEST_PIECE}
for index = ${first}, math.min(#${ids}, ${first + MOST_JOBS - 1}) do
  local job = jobPrefix .. ${ids}[index]
  local size = redis.pcall("MEMORY", "USAGE", job, "SAMPLES", "100")
  if type(size) ~= "number" then
    size = 0
    for _, field in ipairs({"name", "data", "opts", "progress", "returnvalue", "failedReason", "stacktrace"}) do
      local length = redis.pcall("HSTRLEN", job, field)
      if type(length) == "number" then size = size + length end
    end
  end
  room = room - size
  if room < 0 and redis.call("TYPE", job).ok == "hash" then break end
  local hash = redis.pcall("HGETALL", job)
  if hash.err then hash = redis.call("TYPE", job).ok == "hash" and redis.call("HGETALL", job) or {} end
  jobs[#jobs + 1] = size > ${LONG} and withoutRecord(hash) or hash
end
`;
}

/** KEYS: any key of the queue. ARGV: job key prefix, then the ids. Answers the hashes of `readJobs`. */
export const readJobsScript: Script = {
  name: 'readJobs',
  numberOfKeys: 1,
  lua: `
local jobPrefix = ARGV[1]
${readJobs('ARGV', 2)}
return jobs
`,
};
