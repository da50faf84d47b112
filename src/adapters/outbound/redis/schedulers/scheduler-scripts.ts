import type { Script } from '../connection/scripts.ts';
import { LARGEST_PIECE } from '../layout/largest-piece.ts';
import { STATE_KEYS, stateOf } from '../jobs/job-state.ts';
import { CREATE_QUEUE } from '../registry/create-queue.ts';
import { LAST } from '../layout/scheduler-fields.ts';

/** Has a queue be there. KEYS: its metadata, the registry of queues. */
export const createQueueScript: Script = {
  name: 'createQueue',
  numberOfKeys: 2,
  lua: `
${CREATE_QUEUE}
createQueue(KEYS[2], KEYS[1])
`,
};

/** The answer of the script that reads schedulers for one of them; nothing when it does not exist. */
export type SchedulerAnswer =
  | readonly [
      id: string,
      slot: string,
      fields: readonly string[],
      /** The options of the next job, nothing when it started or is gone. */
      planned: string | null,
      last?: readonly [jobId: string, state: string | null],
    ]
  | null;

/**
 * Reads schedulers, and where their jobs are: the first of them, one at least, and as many as one command may read.
 * KEYS: the schedulers, `stateKeys`. ARGV: job key prefix, then the ids.
 */
export const readSchedulersScript: Script = {
  name: 'readSchedulers',
  numberOfKeys: 1 + STATE_KEYS,
  lua: `
local call = redis.call
${stateOf(2)}
local function read(id)
  local slot = call("ZSCORE", KEYS[1], id)
  local record = KEYS[1] .. ":" .. id
  -- What older versions of BullMQ repeated in another way has no such field.
  if not slot or call("HEXISTS", record, "ic") == 0 then return false end
  local planned = call("HMGET", record .. ":" .. slot, "opts", "processedOn")
  local answer = {id, slot, call("HGETALL", record), not planned[2] and planned[1]}
  local last = call("HGET", record, "${LAST}")
  if last then
    local job = call("HMGET", ARGV[1] .. last, "timestamp", "processedOn", "finishedOn")
    answer[5] = {last, job[1] and stateOf(last, job[2], job[3]) or false}
  end
  return answer
end

local answers, room = {}, ${LARGEST_PIECE}
for index = 2, #ARGV do
  local record = KEYS[1] .. ":" .. ARGV[index]
  room = room - call("HSTRLEN", record, "data") - call("HSTRLEN", record, "name")
  if room < 0 and index > 2 then break end
  answers[index - 1] = read(ARGV[index])
end
return answers
`,
};
