import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { Script } from '../connection/scripts.ts';
import { STATE_KEYS, stateOf } from '../jobs/job-state.ts';
import { END_NEAR_TO, TOO_DEEP } from './waiting-place-lua.ts';

/**
 * The script, which begins by looking at the state of its job: what it does happens in an allowed state or
 * not at all, even if other clients act on the job. Beside the answers of the script there are three: nothing when
 * there is no such job, the state of the job when that is not an allowed one, and `TOO_DEEP`.
 *
 * The script finds the state in `jobState`. A script that takes a waiting job out of its list does so from
 * `nearEnd`, as LREM counts: -1 is where jobs are taken.
 *
 * KEYS and ARGV are those of the script, with `stateKeys` behind the keys, and behind the arguments the job key
 * prefix, the job's id, the allowed states, and how far to look for a waiting job.
 */
export function guarded({ name, lua, numberOfKeys }: Script): Script {
  return {
    name: `${name}InState`,
    numberOfKeys: numberOfKeys + STATE_KEYS,
    lua: `
local jobState, nearEnd = nil, -1
do
  local jobPrefix, id, allowed, reach = ARGV[#ARGV - 3], ARGV[#ARGV - 2], ARGV[#ARGV - 1], ARGV[#ARGV]
  ${stateOf(numberOfKeys + 1)}${END_NEAR_TO}
  local record = redis.pcall("HMGET", jobPrefix .. id, "name", "timestamp", "processedOn", "finishedOn")
  if record.err or not record[1] or not record[2] then return false end
  jobState = stateOf(id, record[3], record[4])
  if not string.find(allowed, "," .. jobState .. ",", 1, true) then return jobState end
  if jobState == "waiting" then
    nearEnd = endNearTo(jobPrefix, id, tonumber(reach))
    if not nearEnd then return ${TOO_DEEP} end
  end
end
${lua}`,
  };
}

/** What a guarded script did, by its answer. */
export function actionOutcome(answer: unknown): ActionOutcome {
  if (answer === null) return { kind: 'missing' };
  if (typeof answer === 'string') return { kind: 'refused', state: answer as JobState };
  return { kind: 'done' };
}
