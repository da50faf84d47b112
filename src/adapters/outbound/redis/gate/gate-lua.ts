import { EVENTS_KEPT } from '../layout/events-kept.ts';

/**
 * The gate of a queue is what a claim must check before it gets a job: the reasons to give it none, and the order in
 * which jobs went back. The field of the queue's metadata is set exactly as long as there is a gate. Every claim reads
 * the metadata anyway, so that a claim on an open queue reads nothing else.
 */

/** The field of a queue's metadata that says that there is a gate. */
export const GATED = 'jobgate:gate';

/** After a queue's prefix: the reasons to give claims no jobs. */
export const GATE = 'jobgate:gate';

/**
 * Behind a queue's prefix, from when a job goes back until one starts: the jobs that were active before, the latest
 * start first, and what is known of those that went back since. So each that goes back has its place in this order.
 */
export const [GATE_STARTED, GATE_RETURNED] = [
  'jobgate:gate-started',
  'jobgate:gate-returned',
] as const;

/**
 * Behind a queue's prefix: the calls whose jobs were cancelled and which may still run, by their tokens, and until when
 * (epoch ms of the store) each counts for the concurrency at the longest.
 */
export const GATE_ENDING = 'jobgate:gate-ending';

/** The fields of the gate that say until when (epoch ms of the store) no job starts, and since when. */
const [HELD, HELD_SINCE] = ['heldUntil', 'heldSince'] as const;

/** Lua: the time on the store's own clock, which counts for all replicas, in epoch ms. */
export const STORE_TIME = `local function storeTime()
    local time = rcall("TIME")
    return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end
`;

/** Lua: until when a queue is held; nothing when it is not, or no more. */
export const HELD_UNTIL = `local function heldUntil(prefix)
    local till = tonumber(rcall("HGET", prefix .. "${GATE}", "${HELD}") or "")
    return till and till > storeTime() and till or nil
end
`;

/** Lua: since and until when a queue is held; nothing when it is not, or no more. */
export const HELD_SPAN = `${HELD_UNTIL}local function heldSpan(prefix)
    local till = heldUntil(prefix)
    if till then
        return tonumber(rcall("HGET", prefix .. "${GATE}", "${HELD_SINCE}")), till
    end
end
`;

/** Lua: removes the sign of a gate when nothing needs it any more. */
export const LEAVE_GATE = `local function leaveGate(prefix)
    if rcall("EXISTS", prefix .. "${GATE}", prefix .. "${GATE_STARTED}", prefix .. "${GATE_ENDING}") == 0 then
        rcall("HDEL", prefix .. "meta", "${GATED}")
    end
end
`;

/** Lua: sets the sign of a gate. Keys without it are those of a queue of the same name that is gone. */
export const ENTER_GATE = `local function enterGate(prefix)
    if rcall("HSETNX", prefix .. "meta", "${GATED}", 1) == 1 then
        rcall("DEL", prefix .. "${GATE}", prefix .. "${GATE_STARTED}", prefix .. "${GATE_RETURNED}",
            prefix .. "${GATE_ENDING}")
    end
end
`;

/** Lua: has a call count for the concurrency for some ms more at the longest, although its job is gone. */
export const KEEP_PLACE = `${ENTER_GATE}local function keepPlace(prefix, token, duration)
    local ending = prefix .. "${GATE_ENDING}"
    enterGate(prefix)
    rcall("ZADD", ending, storeTime() + duration, token)
    if rcall("PTTL", ending) < duration then
        rcall("PEXPIRE", ending, duration)
    end
end
`;

/** Lua: how many calls count for the concurrency of a queue that has a gate, although their jobs are gone. */
export const ENDING_CALLS = `local function endingCalls(prefix)
    rcall("ZREMRANGEBYSCORE", prefix .. "${GATE_ENDING}", "-inf", storeTime())
    return rcall("ZCARD", prefix .. "${GATE_ENDING}")
end
`;

/** Lua: ends the hold of a queue, and removes a gate that nothing else needs. Answers whether there was a hold. */
export const END_HOLD = `${LEAVE_GATE}local function endHold(prefix)
    local wasHeld = rcall("HDEL", prefix .. "${GATE}", "${HELD}", "${HELD_SINCE}") > 0
    leaveGate(prefix)
    return wasHeld
end
`;

/**
 * Lua: holds a queue for some ms; a longer hold stays. Returns until when, and whether it was not held
 * before.
 */
export const HOLD = `${ENTER_GATE}local function hold(prefix, duration)
    local gate, meta = prefix .. "${GATE}", prefix .. "meta"
    -- A write that takes no memory: a store whose memory is used up refuses a script that begins with another.
    rcall("SREM", prefix .. "stalled", "")
    enterGate(prefix)
    local now = storeTime()
    local before = tonumber(rcall("HGET", gate, "${HELD}") or "") or 0
    local till = math.max(before, math.floor(now + duration))
    rcall("HSET", gate, "${HELD}", string.format("%.0f", till))
    if before <= now then
        rcall("HSET", gate, "${HELD_SINCE}", string.format("%.0f", math.floor(now)))
    end
    if till > before then
        local maxEvents = rcall("HGET", meta, "opts.maxLenEvents") or "${EVENTS_KEPT}"
        rcall("XADD", prefix .. "events", "MAXLEN", "~", maxEvents, "*", "event", "held", "until", till)
    end
    return till, before <= now
end
`;

/** Lua: how long (ms) claims get no job. Removes the reasons that are over. */
export const CLOSED_FOR = `${HELD_UNTIL}${END_HOLD}local function closedFor(prefix)
    local till = heldUntil(prefix)
    if till then
        return math.max(1, math.ceil(till - storeTime()))
    end
    endHold(prefix)
    return 0
end
`;

/** Lua: forgets in which order jobs went back, as one starts. */
export const FORGET_ORDER = `local function forgetOrder(prefix)
    if rcall("DEL", prefix .. "${GATE_STARTED}", prefix .. "${GATE_RETURNED}") > 0 then
        leaveGate(prefix)
    end
end
`;
