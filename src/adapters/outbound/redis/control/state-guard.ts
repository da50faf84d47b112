import type { ActionOutcome } from '../../../../domain/job-actions.ts';
import type { JobState } from '../../../../domain/job-status.ts';
import type { Script, ScriptArgument } from '../connection/scripts.ts';
import { STATE_KEYS, stateOf } from '../jobs/job-state.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';

/**
 * The script, which begins by looking at the state of its job: what it does happens in an allowed state or
 * not at all, whoever else acts on the job. Beside the answers of the script there are two: nothing when
 * there is no such job, and the state of the job when that is not an allowed one.
 *
 * KEYS and ARGV are those of the script, with `stateKeys` and `guardArguments` behind them.
 */
export function guarded({ name, lua, numberOfKeys }: Script): Script {
  return {
    name: `${name}InState`,
    numberOfKeys: numberOfKeys + STATE_KEYS,
    lua: `
local jobState
do
  local jobPrefix, id, allowed = ARGV[#ARGV - 2], ARGV[#ARGV - 1], ARGV[#ARGV]
  ${stateOf(numberOfKeys + 1)}
  local record = redis.pcall("HMGET", jobPrefix .. id, "name", "timestamp", "processedOn", "finishedOn")
  if record.err or not record[1] or not record[2] then return false end
  jobState = stateOf(id, record[3], record[4])
  if not string.find(allowed, "," .. jobState .. ",", 1, true) then return jobState end
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

export function guardArguments(
  { jobPrefix }: QueueKeys,
  jobId: string,
  allowed: readonly JobState[],
): readonly ScriptArgument[] {
  return [jobPrefix, jobId, `,${allowed.join(',')},`];
}
