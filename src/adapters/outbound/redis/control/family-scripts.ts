import { removeJob } from 'bullmq/dist/cjs/scripts/index.js';
import { libraryFunctions, RELEASING_A_PARENT } from '../attempts/library-functions.ts';
import { patchScript } from '../attempts/script-patch.ts';
import type { Script } from '../connection/scripts.ts';
import { releasedParent } from '../flows/released-parent-patch.ts';
import { guarded } from './state-guard.ts';
import { REACH } from './waiting-place-lua.ts';

/** What a script that removes a job with those below it answers when these are too many for one run. */
export const TOO_MANY = -100;

/** Jobs below another that go with it in one run: it takes a few milliseconds. */
const MOST_IN_ONE_RUN = 100;

/**
 * The script, which leaves a job alone that has many jobs below it, or any in a queue with a long list of waiting jobs:
 * taking one out of that list may cost the store a long walk. KEYS: the job first. ARGV: those of the script, of which
 * the second is 1 when the jobs below are removed too.
 */
export function ofSmallFamily({ name, lua, numberOfKeys }: Script): Script {
  return {
    name: `${name}OfSmallFamily`,
    numberOfKeys,
    lua: `
if ARGV[2] == "1" then
  local left = ${MOST_IN_ONE_RUN}
  local function countBelow(job)
    local call, parts = redis.call, {job .. ":processed", job .. ":failed", job .. ":unsuccessful", job .. ":dependencies"}
    left = left - call("HLEN", parts[1]) - call("HLEN", parts[2]) - call("ZCARD", parts[3]) - call("SCARD", parts[4])
    if left < 0 then return end
    for _, children in ipairs({call("HKEYS", parts[1]), call("HKEYS", parts[2]), call("ZRANGE", parts[3], 0, -1),
        call("SMEMBERS", parts[4])}) do
      for _, child in ipairs(children) do
        if call("LLEN", string.match(child, "^(.*:)") .. "wait") > ${REACH} then left = -1 end
        if left >= 0 then countBelow(child) end
      end
    end
  end
  countBelow(KEYS[1])
  if left < 0 then return ${TOO_MANY} end
end
${lua}`,
  };
}

/** KEYS: any of the slot. ARGV: of each job what stands before its id in its key, and its id. Answers 1 if one is active. */
export const anyActiveScript: Script = {
  name: 'anyActive',
  numberOfKeys: 1,
  lua: `
for index = 1, #ARGV, 2 do
  local prefix, id = ARGV[index], ARGV[index + 1]
  local record = redis.pcall("HMGET", prefix .. id, "processedOn", "finishedOn")
  if not record["err"] and record[1] and not record[2] and redis.call("LPOS", prefix .. "active", id) then return 1 end
end
return 0
`,
};

/**
 * Moves a job that is to be removed later to where no claim takes it: among the failed ones. KEYS: wait, paused,
 * prioritized, delayed, jobs that wait for children, failed. ARGV: job key prefix, id, timestamp, whether its
 * own parent goes on without it from now on.
 */
export function parkScript(): Script {
  return guarded({
    name: 'park',
    numberOfKeys: 6,
    lua: `
local rcall = redis.call
${libraryFunctions(patchScript(removeJob, [releasedParent]).lua, RELEASING_A_PARENT)}
local prefix, id, job = ARGV[1], ARGV[2], ARGV[1] .. ARGV[2]
local sets = {prioritized = KEYS[3], delayed = KEYS[4], ["waiting-children"] = KEYS[5]}
if sets[jobState] then
  rcall("ZREM", sets[jobState], id)
elseif jobState == "waiting" then
  if rcall("LREM", KEYS[1], nearEnd, id) == 0 then rcall("LREM", KEYS[2], 1, id) end
end
if jobState ~= "completed" and jobState ~= "failed" then
  rcall("HSET", job, "failedReason", "Removed", "finishedOn", ARGV[3], "delay", 0)
  rcall("ZADD", KEYS[6], ARGV[3], id)
end
if ARGV[4] == "1" then removeParentDependencyKey(job, false, nil, prefix) end
return 1
`,
  });
}
