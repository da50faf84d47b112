import type { Script } from '../connection/scripts.ts';

/**
 * Most bytes that one command reads: the store does nothing else meanwhile. A job or a log line that is
 * longer is read by a command of its own.
 */
export const LARGEST_PIECE = 262_144;

/** Most jobs that one command reads. */
export const MOST_JOBS = 100;

/**
 * Lua: `readJobs(jobPrefix, ids, first)` returns the hashes of some of the jobs in order, from position
 * `first` of their ids on and as many as one command may read: none when the first is too large. What is
 * no job is an empty hash.
 *
 * The size is asked for before the job is read, because what a script reads is copied twice more. One
 * question for all fields is quickest; a store or a user without MEMORY is asked for the fields that grow.
 */
export const READ_JOBS = `
local function sizeOf(job)
  local size = redis.pcall("MEMORY", "USAGE", job, "SAMPLES", "100")
  if type(size) == "number" then return size end
  size = 0
  for _, field in ipairs({"name", "data", "opts", "progress", "returnvalue", "failedReason", "stacktrace"}) do
    local length = redis.pcall("HSTRLEN", job, field)
    if type(length) == "number" then size = size + length end
  end
  return size
end

local function isHash(key)
  return redis.call("TYPE", key).ok == "hash"
end

local function readJobs(jobPrefix, ids, first)
  local jobs, room = {}, ${LARGEST_PIECE}
  for index = first, math.min(#ids, first + ${MOST_JOBS - 1}) do
    local key = jobPrefix .. ids[index]
    room = room - sizeOf(key)
    if room < 0 and isHash(key) then break end
    local job = redis.pcall("HGETALL", key)
    if job.err then job = isHash(key) and redis.call("HGETALL", key) or {} end
    jobs[#jobs + 1] = job
  end
  return jobs
end
`;

/** KEYS: any key of the queue. ARGV: job key prefix, then the ids. Answers hashes, as READ_JOBS says. */
export const readJobsScript: Script = {
  name: 'readJobs',
  numberOfKeys: 1,
  lua: `${READ_JOBS}
return readJobs(ARGV[1], ARGV, 2)
`,
};
