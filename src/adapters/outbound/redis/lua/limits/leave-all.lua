-- Has some attempts of a queue that is removed leave their limits. Returns how many it were.
--
-- most: how many at most
--- @include "limits/leave-limits"

local tokens = rcall("HRANDFIELD", prefix .. LIMITED, most)
for _, token in ipairs(tokens) do leaveLimits(prefix, token) end
offerFreed(prefix)
return #tokens
