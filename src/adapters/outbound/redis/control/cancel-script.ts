import { KEPT_REASONS } from '../../../../domain/jobs/job.ts';
import { MAX_EVENT_VALUE } from '../../../../domain/events/queue-event.ts';
import { ACCEPTANCES } from '../layout/acceptance-keys.ts';
import { ATTEMPT_FIELDS } from '../attempts/attempt-fields.ts';
import { RECORD_ATTEMPT, TAKEN_ATTEMPT } from '../attempts/attempt-record-lua.ts';
import { ATTEMPT, PULLED_BY } from '../attempts/attempt-token.ts';
import { patchScript, type Patch } from '../attempts/script-patch.ts';
import type { Script } from '../connection/scripts.ts';
import { cutText } from '../events/event-values.ts';
import { KEEP_PLACE, STORE_TIME } from '../gate/gate-lua.ts';
import { OUTCOME_CODES } from '../layout/attempt-lines.ts';
import { guarded } from './state-guard.ts';

const PATCHES: readonly Patch[] = [
  {
    purpose: 'count an attempt only when one ran',
    find: 'increment(jobIdKey, "atm")',
    replace: '(jobState == "active" and increment(jobIdKey, "atm") or 0)',
  },
  {
    purpose: 'report the state of the job in the event',
    find: 'told, "prev", "active")',
    replace: 'told, "prev", jobState)',
  },
];

/**
 * The script that fails an attempt. Before that, it makes the job active from whatever state it is in, so that its
 * holder loses it. So dependencies, deduplication, retention and events are as after any failure.
 *
 * KEYS: those of `finish`; the jobs that wait for children; the job schedulers. ARGV: those of `finish`, with a token
 * that is no lock's and a number of attempts that no job reaches; whether the next job of its scheduler is planned. If
 * it is not, the script changes nothing for the next job of a scheduler, and returns a list of the scheduler and the
 * job.
 *
 * @param finish the patched script of the library that ends attempts.
 */
export function cancelScript({ name, lua, numberOfKeys }: Script): Script {
  const ended = patchScript({ name, content: lua, keys: numberOfKeys }, PATCHES);
  const [waitingChildren, schedulers] = [numberOfKeys + 1, numberOfKeys + 2];
  return guarded({
    name: 'cancel',
    numberOfKeys: schedulers,
    lua: `
do
  local call, id, job = redis.call, ARGV[1], KEYS[12]
  local wait, active, prioritized, stalled, delayed, paused = KEYS[1], KEYS[2], KEYS[3], KEYS[5], KEYS[7], KEYS[8]
  local scheduler = call("HGET", job, "rjk")
  local slot = scheduler and call("ZSCORE", KEYS[${schedulers}], scheduler)
  if slot and ARGV[12] ~= "1" and id == "repeat:" .. scheduler .. ":" .. slot then
    return {scheduler, call("HGETALL", job)}
  end
  -- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
  if jobState == "active" then
    call("SREM", stalled, id)
    local attempt = call("HMGET", job, "processedOn", "${ATTEMPT}", "${PULLED_BY}")
    local start, token = string.match(attempt[2] or "", "^(.*):(.*)$")
    local left = call("PTTL", job .. ":lock")
    local accepted = string.match(call("HGET", ARGV[7] .. "${ACCEPTANCES}", id) or "", "^[^:]+")
    local isCalled = token and start == attempt[1] and token ~= attempt[3] and token ~= accepted
    call("DEL", job .. ":lock")
    if isCalled and left > 0 then
      local rcall = call
      ${STORE_TIME}${KEEP_PLACE}
      keepPlace(ARGV[7], token, left)
    end
    ${RECORD_ATTEMPT}${TAKEN_ATTEMPT}
    recordAttempt(job, ARGV[2], takenAttempt(job, "${OUTCOME_CODES.cancelled}", ARGV[4]))
    call("HDEL", job, ${ATTEMPT_FIELDS})
    local isList, reasons = pcall(cjson.decode, call("HGET", job, "stacktrace") or "[]")
    if not isList or type(reasons) ~= "table" then reasons = {} end
    reasons[#reasons + 1] = ARGV[4]
    while #reasons > ${KEPT_REASONS} do table.remove(reasons, 1) end
    call("HSET", job, "stacktrace", cjson.encode(reasons))
  else
    local sets = {prioritized = prioritized, delayed = delayed, ["waiting-children"] = KEYS[${waitingChildren}]}
    if sets[jobState] then
      call("ZREM", sets[jobState], id)
    elseif call("LREM", wait, nearEnd, id) + call("LREM", paused, 1, id) == 0 then
      call("LREM", active, 1, id)
    end
    call("RPUSH", active, id)
    call("HSET", job, "delay", 0)
  end
  local reason = ARGV[4]
  if #reason > ${MAX_EVENT_VALUE} then reason = ${cutText('reason')} end
  call("XADD", KEYS[4], "*", "event", "cancelled", "jobId", id, "reason", reason)
end
${ended.lua}`,
  });
}
