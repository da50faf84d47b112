-- Has some attempts of a queue that is removed leave their limits. Returns how many it were.
--
-- most: how many at most
--- @include "limits/leave-limits"

local left = 0
for _, token in ipairs(rcall("HKEYS", prefix .. LIMITED)) do
  if left == most then break end
  leaveLimits(prefix, token)
  left = left + 1
end
offerFreed(prefix)
return left
