import { reprocessJob } from 'bullmq/dist/cjs/scripts/index.js';
import { DEFERRALS, DEFERRED_FAILURE } from '../layout/attempt-fields.ts';
import { exactHighestPriority } from '../attempts/exact-priority-patch.ts';
import { patchScript } from '../attempts/script-patch.ts';
import type { Script } from '../connection/scripts.ts';
import { EXPIRES } from '../layout/expiry-keys.ts';
import { WAIT_FOR_CHILDREN } from '../flows/retried-parent-lua.ts';
import { guarded } from './state-guard.ts';

/**
 * BullMQ's own script for a retry, once new data and options are written, but for a job whose children have not
 * ended: it waits for them again. The library takes the place of the job, and the way it goes back, as arguments; here
 * the same run finds them out. It is made of the options that the job is
 * expected to have, as Lua would not write them as they were: when it has others, nothing is done, and the
 * answer is a list of them.
 *
 * KEYS: those of `reprocessJob`, with the failed jobs third; the completed jobs. ARGV: the job's id; three that
 * are set here; whether the attempts made, and started, count from 0 again; the data, empty to keep it; the
 * options that are expected and those in their place, empty to keep them; the priority, empty to keep it.
 */
export function retryScript(): Script {
  const { name, lua, numberOfKeys } = patchScript(reprocessJob, [exactHighestPriority]);
  return guarded({
    name,
    numberOfKeys: numberOfKeys + 1,
    lua: `
${WAIT_FOR_CHILDREN}
do
  local job, isCompleted = KEYS[1], jobState == "completed"
  local data, expected, changed, priority = ARGV[7], ARGV[8], ARGV[9], ARGV[10]
  local opts = redis.call("HGET", job, "opts") or ""
  if changed ~= "" then
    if opts ~= expected then return {opts} end
    redis.call("HSET", job, "opts", changed)
    opts = changed
  end
  if priority ~= "" then redis.call("HSET", job, "priority", priority) end
  redis.call("HDEL", job, "${EXPIRES}", "${DEFERRALS}", "${DEFERRED_FAILURE}")
  if data ~= "" then redis.call("HSET", job, "data", data) end
  local isJson, options = pcall(cjson.decode, opts)
  local isLifo = isJson and type(options) == "table" and options.lifo == true
  if isCompleted then KEYS[3] = KEYS[${numberOfKeys + 1}] end
  ARGV[2] = isLifo and "RPUSH" or "LPUSH"
  ARGV[3] = isCompleted and "returnvalue" or "failedReason"
  ARGV[4] = jobState
  if waitForChildren(string.sub(job, 1, -#ARGV[1] - 1), ARGV[1], KEYS[3], ARGV[3], jobState) then return 1 end
end
${lua}`,
  });
}
