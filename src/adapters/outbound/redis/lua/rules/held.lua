--- @include "rules/store-time"

-- Until when a queue is held; nothing when it is not, or no more.
local function heldUntil(prefix)
  local till = tonumber(rcall("HGET", prefix .. GATE, HELD) or "")
  return till and till > storeTime() and till or nil
end

-- Since and until when a queue is held; nothing when it is not, or no more.
local function heldSpan(prefix)
  local till = heldUntil(prefix)
  if till then
    return tonumber(rcall("HGET", prefix .. GATE, HELD_SINCE)), till
  end
end
