--- @include "reading/store-time"

-- Until when a queue is held; nothing when it is not, or no more.
local function heldUntil(prefix)
  local till = tonumber(rcall("HGET", prefix .. GATE, HELD) or "")
  return till and till > storeTime() and till or nil
end

-- Since and until when a queue is held, and who asked for that, in a word and, of a caller, as JSON; nothing when it is
-- not, or no more.
local function holdOf(prefix)
  local till = heldUntil(prefix)
  if till then
    local hold = rcall("HMGET", prefix .. GATE, HELD_SINCE, HELD_BY, HELD_STOP)
    -- A replica of an older version notes nobody: what it holds, endpoints mostly asked for.
    return tonumber(hold[1]), till, hold[2] or "endpoint", hold[2] == "caller" and hold[3] or ""
  end
end
