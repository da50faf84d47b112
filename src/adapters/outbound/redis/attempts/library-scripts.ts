import {
  moveJobFromActiveToWait,
  moveStalledJobsToWait,
  moveToActive,
  moveToDelayed,
  moveToFinished,
  retryJob,
} from 'bullmq/dist/cjs/scripts/index.js';
import type { Script } from '../connection/scripts.ts';
import {
  delayingBrokenRecords,
  finishingBrokenRecords,
  recoveringBrokenRecords,
  retryingBrokenRecords,
  takingBrokenRecords,
} from './broken-record-patches.ts';
import { exactHighestPriority } from './exact-priority-patch.ts';
import { failingExpiredJobs } from './expiry-patches.ts';
import { openBreaker, passesVerdict, returningBreakerMoves } from './breaker-patches.ts';
import { ENDING_CALLS } from '../gate/gate-lua.ts';
import { closedGate } from './gate-patches.ts';
import { slidingLimiter } from './limiter-patches.ts';
import { MAX_EVENT_VALUE } from '../../../../domain/events/queue-event.ts';
import { cutText, LEFT_OUT } from '../events/event-values.ts';
import { completingParents, markingParents } from '../flows/parent-mark.ts';
import { releasedParent } from '../flows/released-parent-patch.ts';
import { ATTEMPT_FIELDS } from './attempt-fields.ts';
import { RECORD_ATTEMPT } from './attempt-record-lua.ts';
import { recordingStalled, takingWithoutRecord } from './attempt-record-patches.ts';
import { ATTEMPT, HOLDS_WITHOUT_LOCK } from './attempt-token.ts';
import { OWN_RETENTION } from './own-retention.ts';
import { PUT_BACK } from './put-back-lua.ts';
import { notingEnds, returningSkipped, skippingSlots } from './schedule-patches.ts';
import { forgettingPulledJobs, notingPulledJobs } from './pull-patches.ts';
import { patchScript, type LibraryScript, type Patch } from './script-patch.ts';

/*
 * BullMQ's own scripts move the jobs, so that its workers, producers and dashboards can share the
 * queues. They are patched where the specification wants another rule (docs/adr/0003).
 */

/**
 * BullMQ sends due delayed jobs to the tail of the waiting list; the specification wants them ahead
 * of waiting jobs, in due order (JobOpts, rule 3). They stay in the delayed set until a job can
 * be taken, and then the earliest goes first.
 */
const TAKE_DUE_JOB = `local function moveDueJobToHead(delayedKey, waitKey, prioritizedKey, eventStreamKey, prefix, timestamp,
    priorityCounterKey)
    local due = (timestamp + 1) * 0x1000 - 1
    for _ = 1, 1000 do
        local jobId = rcall("ZRANGEBYSCORE", delayedKey, 0, due, "LIMIT", 0, 1)[1]
        if not jobId then
            return
        end
        rcall("ZREM", delayedKey, jobId)
        local jobKey = prefix .. jobId
        rcall("XADD", eventStreamKey, "*", "event", "waiting", "jobId", jobId, "prev", "delayed")
        rcall("HSET", jobKey, "delay", 0)
        local priority = tonumber(rcall("HGET", jobKey, "priority")) or 0
        if not (priority > 0 and priority <= 0x200000) then
            rcall("RPUSH", waitKey, jobId)
            return
        end
        rcall("ZADD", prioritizedKey, getPriorityScore(priority, priorityCounterKey), jobId)
    end
end
`;

/**
 * Takes no job beyond the worker's concurrency, counted over all replicas, and none for a caller that may have given up
 * because the store hung. The caller may still be waiting and read the answer as an empty queue, so one waiter is woken
 * to ask again.
 */
const MAY_NOT_TAKE = `${ENDING_CALLS}local function mayNotTake(opts, activeKey, markerKey)
    if opts['deadline'] and storeTime() > opts['deadline'] then
        rcall("ZADD", markerKey, 0, "0")
        return true
    end
    if not opts['concurrency'] then
        return false
    end
    local ending = hasGate and endingCalls(string.sub(activeKey, 1, -#"active" - 1)) or 0
    return rcall("LLEN", activeKey) + ending >= opts['concurrency']
end
`;

/** For the scripts that take its job from an attempt. */
function releasesAttempt(activeKey: string): readonly Patch[] {
  return [
    {
      purpose: 'define when an attempt holds its job',
      find: 'local function removeLock(',
      replace: `${HOLDS_WITHOUT_LOCK}local function removeLock(`,
    },
    {
      purpose:
        'let an attempt end its job although the lock expired, when no other attempt holds the job',
      find: `    local lockToken = rcall("GET", lockKey)
`,
      replace: `    local lockToken = rcall("GET", lockKey)
    if not lockToken and holdsWithoutLock(jobKey, jobId, ${activeKey}, token) then
      lockToken = token
    end
`,
    },
    {
      purpose: 'forget the token of an attempt that ended',
      find: `      rcall("DEL", lockKey)
`,
      replace: `      rcall("DEL", lockKey)
      rcall("HDEL", jobKey, ${ATTEMPT_FIELDS})
`,
    },
  ];
}

/**
 * For the scripts that end an attempt.
 *
 * @param call the argument with the record of the attempt; when it is empty, nothing is recorded. The next argument is
 * the verdict on the call.
 */
function endsAttempt(activeKey: string, call: number): readonly Patch[] {
  const record = `ARGV[${call}]`;
  return [
    ...releasesAttempt(activeKey),
    {
      purpose: 'define how an attempt goes on record',
      find: 'local function removeLock(',
      replace: `${RECORD_ATTEMPT}local function removeLock(`,
    },
    {
      purpose: 'put an attempt that ended on record',
      find: `      rcall("HDEL", jobKey, "${ATTEMPT}", `,
      replace: `      if ${record} ~= "" then
        recordAttempt(jobKey, ARGV[2], ${record})
      end
      rcall("HDEL", jobKey, "${ATTEMPT}", `,
    },
    ...passesVerdict(`ARGV[${call + 1}]`),
  ];
}

/** A job's own retention takes precedence over that of its worker, as in BullMQ. */
const ownRetention: Patch = {
  purpose: 'take the retention of a job from the job',
  find: `    local maxCount = opts['keepJobs']['count']
    local maxAge = opts['keepJobs']['age']
    local maxLimit = opts['keepJobs']['limit'] or 1000
`,
  replace: `    local keep = retention(rcall("HGET", jobIdKey, "opts"), ARGV[5], opts['keepJobs'])
    local maxCount = keep['count']
    local maxAge = keep['age']
    local maxLimit = keep['limit'] or 1000
`,
};

const defineRetention: Patch = {
  purpose: 'define which jobs stay when one ends',
  find: 'local jobIdKey = KEYS[12]\n',
  replace: `${OWN_RETENTION}local jobIdKey = KEYS[12]
`,
};

const nextTokenForNextJob: Patch = {
  purpose: 'give every attempt a token of its own',
  find: `rcall("SET", lockKey, opts['token'], "PX", opts['lockDuration'])`,
  replace: `rcall("SET", lockKey, opts['nextToken'] or opts['token'], "PX", opts['lockDuration'])`,
};

/** The patches of `fetchNextJob`, which two of the scripts contain. */
const fetchNextJobPatches: readonly Patch[] = [
  {
    purpose: 'leave due jobs in the delayed set until one can be taken',
    find: `    promoteDelayedJobs(delayedKey, markerKey, waitKey, prioritizedKey,
        eventStreamKey, prefix, timestamp, pcKey, isPausedOrMaxed)
`,
    replace: '',
  },
  {
    purpose: 'take no job beyond the concurrency over all replicas, nor one too late',
    find: `    if isPausedOrMaxed then
        return {0, 0, 0, 0}
    end
`,
    replace: `    if isPausedOrMaxed or mayNotTake(opts, activeKey, markerKey) then
        return {0, 0, 0, 0}
    end
`,
  },
  {
    purpose: 'take the earliest due job first',
    find: `local function fetchNextJob(waitKey, activeKey, prioritizedKey, eventStreamKey,`,
    replace: `${TAKE_DUE_JOB}${MAY_NOT_TAKE}local function fetchNextJob(waitKey, activeKey, prioritizedKey, eventStreamKey,`,
  },
  {
    purpose: 'take the earliest due job first',
    find: `    local jobId = rcall("RPOPLPUSH", waitKey, activeKey)
`,
    replace: `    moveDueJobToHead(delayedKey, waitKey, prioritizedKey, eventStreamKey, prefix, timestamp, pcKey)
    local jobId = rcall("RPOPLPUSH", waitKey, activeKey)
`,
  },
  nextTokenForNextJob,
  exactHighestPriority,
  ...slidingLimiter('prefix'),
  ...closedGate('prefix'),
  ...openBreaker('prefix'),
  ...takingBrokenRecords,
  ...failingExpiredJobs,
  ...skippingSlots,
  ...takingWithoutRecord,
  ...markingParents,
];

/**
 * A store without free memory refuses a script unless a write that takes no memory precedes those that do. Processing
 * jobs may be what frees memory, so it must continue.
 */
function evenWhenFull(find: string, stalledKey: string): Patch {
  return {
    purpose: 'go on when the memory of the store is used up',
    find,
    replace: `rcall("SREM", ${stalledKey}, "")
${find}`,
  };
}

const moveToActivePatches: readonly Patch[] = [
  evenWhenFull('local waitKey = KEYS[1]\n', 'KEYS[5]'),
  {
    purpose: 'leave due jobs in the delayed set until one can be taken',
    find: `promoteDelayedJobs(delayedKey, markerKey, waitKey, KEYS[3], eventStreamKey, ARGV[1],
                   ARGV[2], KEYS[10], isPausedOrMaxed)
`,
    replace: TAKE_DUE_JOB + MAY_NOT_TAKE,
  },
  {
    purpose: 'take no job beyond the concurrency over all replicas, nor one too late',
    find: 'if isPausedOrMaxed then return {0, 0, 0, 0} end',
    replace: `if isPausedOrMaxed or mayNotTake(opts, activeKey, markerKey) then
    return {0, 0, 0, 0}
end`,
  },
  {
    purpose: 'take the earliest due job first',
    find: `-- no job ID, try non-blocking move from wait to active
`,
    replace: `moveDueJobToHead(delayedKey, waitKey, KEYS[3], eventStreamKey, ARGV[1], ARGV[2], KEYS[10])
`,
  },
  exactHighestPriority,
  ...slidingLimiter('ARGV[1]'),
  ...closedGate('ARGV[1]'),
  ...openBreaker('ARGV[1]'),
  ...takingBrokenRecords,
  ...failingExpiredJobs,
  ...skippingSlots,
  ...takingWithoutRecord,
  ...markingParents,
  notingPulledJobs,
];

/**
 * A long reason is cut between two characters. A long value is JSON and cannot be cut, and clients of BullMQ stop at an
 * event without a value.
 */
const briefEvents: Patch = {
  purpose: 'keep long values out of the events',
  find: `    rcall("XADD", eventStreamKey, "*", "event", ARGV[5], "jobId", jobId, ARGV[3], ARGV[4], "prev", "active")
`,
  replace: `    local told = ARGV[4]
    if #told > ${MAX_EVENT_VALUE} then
        told = ARGV[3] == "returnvalue" and "${LEFT_OUT}" or
            ${cutText('told')}
    end
    rcall("XADD", eventStreamKey, "*", "event", ARGV[5], "jobId", jobId, ARGV[3], told, "prev", "active")
`,
};

/** The id in a report may name a key of the queue that is not a job. */
const finishingJobsOnly: Patch = {
  purpose: 'finish nothing but a job',
  find: 'if rcall("EXISTS", jobIdKey) == 1 then',
  replace: 'if rcall("TYPE", jobIdKey).ok == "hash" then',
};

/** Wakes a replica that waits at the limit on attempts when a slot becomes free elsewhere. */
const wakeOthersWhenSlotFrees: Patch = {
  purpose: 'wake other replicas when a slot gets free and is not taken here',
  find: `    local waitLen = rcall("LLEN", KEYS[1])
`,
  replace: `    if ARGV[6] ~= "1" then
        addBaseMarkerIfNeeded(KEYS[14], false)
    end
    local waitLen = rcall("LLEN", KEYS[1])
`,
};

/** BullMQ puts a job ahead of those that went back before it, and wakes other workers unless it has a priority. */
const releasePatches: readonly Patch[] = [
  {
    purpose: 'define how a job is put back',
    find: 'local jobId = ARGV[1]\n',
    replace: `${PUT_BACK}local jobId = ARGV[1]
`,
  },
  {
    purpose: 'number a released job among those that went back',
    find: 'local removed = rcall("LREM", KEYS[1], 1, jobId)\n',
    replace: `local prefix = string.sub(jobKey, 1, #jobKey - #jobId)
local number = numbered(prefix, KEYS[1], jobId)
local removed = rcall("LREM", KEYS[1], 1, jobId)
`,
  },
  {
    purpose: 'keep the order of released jobs, and wake others for each',
    find: `  local priority = tonumber(rcall("HGET", ARGV[3], "priority")) or 0
  if priority > 0 then
    pushBackJobWithPriority(KEYS[7], priority, jobId)
  else
    addJobInTargetList(KEYS[2], KEYS[8], "RPUSH", isPausedOrMaxed, jobId)
  end
`,
    replace: `  putBack(prefix, KEYS[2], KEYS[7], jobId, number)
  addBaseMarkerIfNeeded(KEYS[8], isPausedOrMaxed)
`,
  },
  ...releasesAttempt('KEYS[1]'),
];

const retryJobPatches: readonly Patch[] = [
  {
    purpose: 'leave due jobs in the delayed set until one can be taken',
    find: `promoteDelayedJobs(KEYS[7], markerKey, KEYS[2], KEYS[8], KEYS[6], ARGV[1], ARGV[2], KEYS[9], isPausedOrMaxed)
`,
    replace: '',
  },
  exactHighestPriority,
  ...retryingBrokenRecords,
];

const CHECKED_LATELY = 'if rcall("EXISTS", stalledCheckKey) == 1 then\n';

/**
 * A woken replica takes the marker, and may die before it claims the job. BullMQ's workers therefore claim every few
 * seconds. Here the stalled check puts the marker back, even when the check does not count, so that idle workers need
 * not claim.
 */
const wakeForMissedJobs: Patch = {
  purpose: 'wake a replica for jobs whose marker is gone',
  find: CHECKED_LATELY,
  replace: `if not isQueuePausedOrMaxed(metaKey, activeKey) then
    if rcall("EXISTS", waitKey, queueKeyPrefix .. "prioritized") > 0 then
        addBaseMarkerIfNeeded(markerKey, false)
    else
        local earliest = rcall("ZRANGE", queueKeyPrefix .. "delayed", 0, 0, "WITHSCORES")
        if earliest[2] then
            rcall("ZADD", markerKey, tonumber(earliest[2]) / 0x1000, "1")
        end
    end
end
${CHECKED_LATELY}`,
};

/** How many locks one command reads: the number of active jobs that no replica renews has no bound. */
const LOCKS_AT_ONCE = 1000;

/**
 * BullMQ suspects every active job. A store that recovers after all locks expired would then put their jobs back at the
 * first check, before any replica could renew them.
 */
const recoverStalledPatches: readonly Patch[] = [
  wakeForMissedJobs,
  evenWhenFull('local stalledKey = KEYS[1]\n', 'KEYS[1]'),
  ...recoveringBrokenRecords,
  ...recordingStalled,
  forgettingPulledJobs,
  {
    purpose: 'create no queue by looking for stalled jobs',
    find: '\ntrimEvents(metaKey, eventStreamKey)\n',
    replace: `
if rcall("EXISTS", eventStreamKey) == 1 then trimEvents(metaKey, eventStreamKey) end
`,
  },
  {
    purpose: 'return what was suspected',
    find: `    return {}
`,
    replace: `    return {{}, 0}
`,
  },
  {
    purpose: 'suspect only jobs without a lock, and check those again soon',
    find: `local active = rcall('LRANGE', activeKey, 0, -1)
if (#active > 0) then
    for from, to in batches(#active, 7000) do
        rcall('SADD', stalledKey, unpack(active, from, to))
    end
end
return stalled
`,
    replace: `local suspected = 0
local active = rcall('LRANGE', activeKey, 0, -1)
for from, to in batches(#active, ${LOCKS_AT_ONCE}) do
    local locks = {}
    for index = from, to do
        locks[#locks + 1] = queueKeyPrefix .. active[index] .. ":lock"
    end
    local missing = #locks - rcall("EXISTS", unpack(locks))
    for index = 1, missing > 0 and #locks or 0 do
        if rcall("EXISTS", locks[index]) == 0 then
            rcall('SADD', stalledKey, active[from + index - 1])
            suspected = 1
        end
    end
end
return {stalled, suspected}
`,
  },
];

/** Lua would write empty lists and large numbers otherwise. */
const optionsOfNextJob: Patch = {
  purpose: 'keep the options of the next job for a deduplication id as they were given',
  find: '    -- Register as child dependency if the job has a parent\n',
  replace: '    rcall("HSET", newJobIdKey, "opts", nextData[3])\n',
};

/** The scripts that move jobs through their states, ready to be defined on a connection. */
export interface LibraryScripts {
  readonly claim: Script;
  readonly finish: Script;
  readonly delay: Script;
  readonly retry: Script;
  readonly release: Script;
  readonly recoverStalled: Script;
}

/** @throws Error when a patch does not fit the installed library: the service must not start then. */
export function libraryScripts(): LibraryScripts {
  return {
    claim: patchScript(moveToActive, moveToActivePatches),
    finish: endsCall(moveToFinished, [
      ...fetchNextJobPatches,
      wakeOthersWhenSlotFrees,
      ...finishingBrokenRecords,
      finishingJobsOnly,
      briefEvents,
      optionsOfNextJob,
      ...completingParents,
      releasedParent,
      defineRetention,
      ownRetention,
      ...notingEnds,
      ...endsAttempt('KEYS[2]', 10),
    ]),
    delay: endsCall(moveToDelayed, [
      ...fetchNextJobPatches,
      returningSkipped,
      ...delayingBrokenRecords,
      ...endsAttempt('KEYS[2]', 10),
    ]),
    retry: endsCall(retryJob, [...retryJobPatches, ...endsAttempt('KEYS[1]', 7)]),
    release: patchScript(moveJobFromActiveToWait, releasePatches),
    recoverStalled: patchScript(moveStalledJobsToWait, recoverStalledPatches),
  };
}

function endsCall(script: LibraryScript, patches: readonly Patch[]): Script {
  return returningBreakerMoves(patchScript(script, patches));
}
