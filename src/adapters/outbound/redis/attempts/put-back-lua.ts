import { GATE_ORDER, HELD_UNTIL } from '../gate/gate-lua.ts';

/** Fields of the order that no job can have, as they have one colon: how many it has, and behind it, a priority. */
const COUNT = ':';

/** How many ids go into one command: Lua has no room for many thousand arguments. */
const PIECE = 1000;

/**
 * How far below the scores of its priority a job may go that was put back: room for as many jobs as run at once,
 * again and again. No queue has so many of the next higher priority that they reach that far.
 */
const ROOM = 0x1000000;

/**
 * Lua: the number of an active job in the order of the starts, once for a hold: it stays until a claim is given a job.
 * Nothing when the queue is not held.
 */
const NUMBERED = `local function numbered(prefix, active, jobId)
    local order = prefix .. "${GATE_ORDER}"
    if rcall("EXISTS", order) == 0 then
        if not heldUntil(prefix) then
            return nil
        end
        -- The latest start comes first.
        local ids = rcall("LRANGE", active, 0, -1)
        rcall("HSET", order, "${COUNT}", #ids)
        for first = 1, #ids, ${PIECE} do
            local fields = {}
            for index = first, math.min(#ids, first + ${PIECE - 1}) do
                fields[#fields + 1] = ids[index]
                fields[#fields + 1] = #ids + 1 - index
            end
            rcall("HSET", order, unpack(fields))
        end
    end
    return tonumber(rcall("HGET", order, jobId) or "")
end
`;

/** Lua: puts a job at the head of the list, behind those of a lower number that were put back before. */
const PUT_BACK_WAITING = `local function putBackWaiting(prefix, wait, jobId, number)
    local order, ahead = prefix .. "${GATE_ORDER}", 0
    local ids = number and rcall("LRANGE", wait, -rcall("HLEN", order), -1) or {}
    for first = 1, #ids, ${PIECE} do
        local numbers = rcall("HMGET", order, unpack(ids, first, math.min(#ids, first + ${PIECE - 1})))
        for index = 1, #numbers do
            if numbers[index] and tonumber(numbers[index]) < number then
                ahead = #ids + 2 - first - index
                break
            end
        end
        if ahead > 0 then
            break
        end
    end
    if ahead > 0 then
        rcall("LTRIM", wait, 0, -ahead - 1)
    end
    rcall("RPUSH", wait, jobId)
    for index = #ids - ahead + 1, #ids, ${PIECE} do
        rcall("RPUSH", wait, unpack(ids, index, math.min(#ids, index + ${PIECE - 1})))
    end
end
`;

/**
 * Lua: puts a job ahead of those of its priority, behind those of a lower number that were put back before. The score
 * of what it goes before is found once for a hold, and kept.
 */
const PUT_BACK_PRIORITIZED = `local function putBackPrioritized(prefix, prioritized, priorityCounter, jobId, priority, number)
    local order, field = prefix .. "${GATE_ORDER}", "${COUNT}" .. priority
    local isLast = priority >= 0x200000
    local step, base = isLast and 2 or 1, priority * 0x100000000
    local before = number and tonumber(rcall("HGET", order, field) or "")
    if not before then
        local first = rcall("ZRANGEBYSCORE", prioritized, string.format("%.0f", base - ${ROOM}), "+inf", "WITHSCORES",
            "LIMIT", 0, 1)
        before = tonumber(first[2])
        if not before or (not isLast and before >= base + 0x100000000 - ${ROOM}) then
            before = base + step * ((tonumber(rcall("GET", priorityCounter) or "") or 0) + 1)
        end
        if number then
            rcall("HSET", order, field, string.format("%.0f", before))
        end
    end
    local places = number and rcall("HGET", order, "${COUNT}") - number or 0
    rcall("ZADD", prioritized, string.format("%.0f", before - step * (places + 1)), jobId)
end
`;

/**
 * Lua: puts an active job back where it was taken, at the head of its place. Jobs that go back while their queue is
 * held keep the order in which they started, whichever goes back first.
 */
export const PUT_BACK = `${HELD_UNTIL}${NUMBERED}${PUT_BACK_WAITING}${PUT_BACK_PRIORITIZED}`;
