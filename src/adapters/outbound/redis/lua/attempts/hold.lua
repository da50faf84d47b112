-- In TypeScript: domain/transitions/queue-control
--- @include "reading/store-time"
--- @include "attempts/gate"

-- Holds a queue for some ms; a hold that lasts as long stays. Returns until when, and whether it was not held before.
--
-- by: who asks for it, as domain/queues/hold has it
-- stop: which caller, as JSON; nothing or empty for an endpoint, and when that is not known
local function hold(prefix, duration, by, stop)
  local gate, meta = prefix .. GATE, prefix .. "meta"
  -- A write that takes no memory: a store whose memory is used up refuses a script that begins with another.
  rcall("SREM", prefix .. "stalled", "")
  enterGate(prefix)
  local now = storeTime()
  local before = tonumber(rcall("HGET", gate, HELD) or "") or 0
  local till = math.max(before, math.floor(now + duration))
  if before <= now then
    rcall("HSET", gate, HELD_SINCE, string.format("%.0f", math.floor(now)))
  end
  if till > before then
    rcall("HSET", gate, HELD, string.format("%.0f", till), HELD_BY, by)
    if stop and stop ~= "" then rcall("HSET", gate, HELD_STOP, stop) else rcall("HDEL", gate, HELD_STOP) end
    local maxEvents = rcall("HGET", meta, "opts.maxLenEvents") or EVENTS_KEPT
    rcall("XADD", prefix .. "events", "MAXLEN", "~", maxEvents, "*", "event", "held", "until", till)
  end
  return till, before <= now
end
