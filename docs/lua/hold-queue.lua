-- Holds a queue, which it creates. Returns until when (epoch ms) it is held.
--
-- KEYS[1] meta
-- KEYS[2] registry
--
-- ARGV[1] the prefix of the queue's keys
-- ARGV[2] for how many ms

local rcall = redis.call

-- How many events a queue keeps, which is the default from then on unless its metadata says otherwise.
local function keepEvents(meta)
  if rcall("HSETNX", meta, "opts.maxLenEvents", "<events kept>") == 1 then return "<events kept>" end
  return rcall("HGET", meta, "opts.maxLenEvents")
end

-- Lists a queue in the registry. The field goes with the queue, and a script that creates the queue again sets it
-- anew. So an add that finds it has nothing to do, and no replica need remember anything. Both keys are in one slot of
-- a cluster, as all keys of a prefix are.
local function registerQueue(registry, meta)
  if rcall("HSETNX", meta, "jobgate.listed", "1") == 1 then
    rcall("ZADD", registry, 0, string.match(meta, "([^:]+):meta$"))
  end
end

-- Creates a queue unless it is there, as every script has to that gives a queue something of its own. It returns
-- how many events the queue keeps.
local function createQueue(registry, meta)
  local kept = keepEvents(meta)
  registerQueue(registry, meta)
  return kept
end
-- The time on the store's own clock, which counts for all replicas, in epoch ms.
local function storeTime()
    local time = rcall("TIME")
    return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end
-- Removes the sign of a gate when nothing needs it any more.
local function leaveGate(prefix)
    if rcall("EXISTS", prefix .. "jobgate:gate", prefix .. "jobgate:gate-started", prefix .. "jobgate:gate-ending") == 0 then
        rcall("HDEL", prefix .. "meta", "jobgate:gate")
    end
end

-- Sets the sign of a gate. Keys without it are those of a queue of the same name that is gone.
local function enterGate(prefix)
    if rcall("HSETNX", prefix .. "meta", "jobgate:gate", 1) == 1 then
        rcall("DEL", prefix .. "jobgate:gate", prefix .. "jobgate:gate-started", prefix .. "jobgate:gate-returned",
            prefix .. "jobgate:gate-ending")
    end
end

-- Holds a queue for some ms; a longer hold stays. Returns until when, and whether it was not held
-- before.
local function hold(prefix, duration)
    local gate, meta = prefix .. "jobgate:gate", prefix .. "meta"
    -- A write that takes no memory: a store whose memory is used up refuses a script that begins with another.
    rcall("SREM", prefix .. "stalled", "")
    enterGate(prefix)
    local now = storeTime()
    local before = tonumber(rcall("HGET", gate, "heldUntil") or "") or 0
    local till = math.max(before, math.floor(now + duration))
    rcall("HSET", gate, "heldUntil", string.format("%.0f", till))
    if before <= now then
        rcall("HSET", gate, "heldSince", string.format("%.0f", math.floor(now)))
    end
    if till > before then
        local maxEvents = rcall("HGET", meta, "opts.maxLenEvents") or "<events kept>"
        rcall("XADD", prefix .. "events", "MAXLEN", "~", maxEvents, "*", "event", "held", "until", till)
    end
    return till, before <= now
end

local meta, registry = KEYS[1], KEYS[2]
local till = hold(ARGV[1], tonumber(ARGV[2]))
createQueue(registry, meta)
return till
