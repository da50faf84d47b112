import { reprocessJob } from 'bullmq/dist/cjs/scripts/index.js';
import { indented, libraryFunctions } from '../attempts/library-functions.ts';

/**
 * Lua: lets a job that ended wait for its children again, unless it would start anyway: it has none that has not
 * ended, or one failed that lets it go on without the others. What BullMQ does to a job that starts over is done to
 * it, apart from its place.
 *
 * Answers whether it waits.
 */
export const WAIT_FOR_CHILDREN = `local function goesOnWithoutChildren(job)
  for _, child in ipairs(redis.call("HKEYS", job .. ":failed")) do
    local parent = redis.pcall("HGET", child, "parent")
    local isJson, rules = pcall(cjson.decode, type(parent) == "string" and parent or "null")
    if isJson and type(rules) == "table" and rules.cpof then return true end
  end
  return false
end
local function waitForChildren(prefix, id, ended, field, prev)
  local job = prefix .. id
  if redis.call("SCARD", job .. ":dependencies") == 0 or goesOnWithoutChildren(job) then return false end
  local rcall = redis.call
${indented(libraryFunctions(reprocessJob.content, ['getOrSetMaxEvents', 'moveChildBackToParentDependencies']))}
  local time = rcall("TIME")
  rcall("ZREM", ended, id)
  rcall("HDEL", job, "finishedOn", "processedOn", "atm", field)
  rcall("ZADD", prefix .. "waiting-children", time[1] * 1000 + math.floor(time[2] / 1000), id)
  moveChildBackToParentDependencies(job, prev)
  rcall("XADD", prefix .. "events", "MAXLEN", "~", getOrSetMaxEvents(prefix .. "meta"), "*",
    "event", "waiting-children", "jobId", id, "prev", prev)
  return true
end
`;
