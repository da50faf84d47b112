import { MAX_TREE_VALUE } from '../../../../domain/flows/flow-node.ts';
import type { Script } from '../connection/scripts.ts';
import { STATES_IN } from '../jobs/job-state.ts';
import { LARGEST_PIECE } from '../layout/largest-piece.ts';

/**
 * All children of a job at one moment, as BullMQ keeps them with it: those that completed, that failed and were
 * passed over, that failed it, and that it waits for. KEYS: these four. Answers the keys of each.
 */
export const listChildrenScript: Script = {
  name: 'listChildren',
  numberOfKeys: 4,
  lua: `
return {redis.call("HKEYS", KEYS[1]), redis.call("HKEYS", KEYS[2]), redis.call("ZRANGE", KEYS[3], 0, -1),
  redis.call("SMEMBERS", KEYS[4])}
`,
};

/** Lua: says in what state a job is, of its queue's key prefix, its id and two of its times. */
const STATE_BY_PREFIX = `${STATES_IN}
local states = {}
local function stateBy(prefix, id, processedOn, finishedOn)
  states[prefix] = states[prefix] or statesIn(prefix .. "active", prefix .. "prioritized", prefix .. "delayed",
    prefix .. "completed", prefix .. "failed", prefix .. "waiting-children")
  return states[prefix](id, processedOn, finishedOn)
end
`;

/**
 * KEYS: what the children of a job returned. ARGV: for each child the key prefix of its queue and its id. Answers for
 * the first, as many as an answer may hold, the name and the state, nothing of either when it is gone, and what it
 * returned. One that is too large is answered alone, by its state and its size.
 */
export const readChildrenScript: Script = {
  name: 'readChildren',
  numberOfKeys: 1,
  lua: `
${STATE_BY_PREFIX}
local answers, room = {}, ${LARGEST_PIECE}
for index = 1, #ARGV, 2 do
  local prefix, id = ARGV[index], ARGV[index + 1]
  local job = prefix .. id
  local record = redis.pcall("HMGET", job, "timestamp", "processedOn", "finishedOn")
  local isThere = not record["err"] and redis.call("HEXISTS", job, "name") == 1
  local size = redis.call("HSTRLEN", KEYS[1], job) + (isThere and redis.call("HSTRLEN", job, "name") or 0)
  if size > room and index > 1 then break end
  local state = isThere and stateBy(prefix, id, record[2], record[3])
  if size > room then return {{state, size}} end
  room = room - size
  answers[#answers + 1] = {isThere and redis.call("HGET", job, "name"), state, redis.call("HGET", KEYS[1], job)}
end
return answers
`,
};

/** The values of a job that a tree shows unless they are long. */
export const SHOWN = ['name', 'data', 'opts', 'returnvalue', 'failedReason'] as const;

/**
 * KEYS: what the children of the job returned that is above these. ARGV: for each job the key prefix of its queue and
 * its id. Answers for each what it returned there, 1 where that is too long; and when the job is there its state,
 * whether it has children, its fields and values that are not too long, and the names of those that are.
 */
export const readNodesScript: Script = {
  name: 'readNodes',
  numberOfKeys: 1,
  lua: `
${STATE_BY_PREFIX}
local function node(prefix, id, returned)
  local job = prefix .. id
  local times = redis.pcall("HMGET", job, "timestamp", "processedOn", "finishedOn", "priority")
  if times["err"] or not times[1] or redis.call("HEXISTS", job, "name") == 0 then return {returned} end
  local fields, long = {"timestamp", times[1]}, {}
  if times[4] then fields[3], fields[4] = "priority", times[4] end
  for _, field in ipairs({${SHOWN.map((field) => `"${field}"`).join(', ')}}) do
    if redis.call("HSTRLEN", job, field) > ${MAX_TREE_VALUE} then
      long[#long + 1] = field
    else
      local value = redis.call("HGET", job, field)
      if value then fields[#fields + 1], fields[#fields + 2] = field, value end
    end
  end
  local children = redis.call("EXISTS", job .. ":dependencies", job .. ":processed", job .. ":failed",
    job .. ":unsuccessful")
  return {returned, stateBy(prefix, id, times[2], times[3]), children, fields, long}
end

local answers = {}
for index = 1, #ARGV, 2 do
  local prefix, id = ARGV[index], ARGV[index + 1]
  local job = prefix .. id
  local isLong = redis.call("HSTRLEN", KEYS[1], job) > ${MAX_TREE_VALUE}
  answers[#answers + 1] = node(prefix, id, isLong and 1 or redis.call("HGET", KEYS[1], job))
end
return answers
`,
};
