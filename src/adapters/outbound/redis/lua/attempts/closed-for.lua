--- @include "attempts/held"
--- @include "attempts/ended-hold"

-- How long (ms) claims get no job. Removes the reasons that are over.
local function closedFor(prefix)
  local till = heldUntil(prefix)
  if till then
    return math.max(1, math.ceil(till - storeTime()))
  end
  endHold(prefix)
  return 0
end
