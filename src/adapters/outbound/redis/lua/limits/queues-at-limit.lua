-- The queues that run calls under a limit, each with how many, and the queues that wait at it.
--
-- name: of the limit
--- @include "limits/limit-keys"

local calls, running, last = string.sub(start, 1, -2) .. OWN_KEY .. LIMIT_CALLS .. name, {}, "-"
while true do
  local first = rcall("ZRANGEBYLEX", calls, last, "+", "LIMIT", 0, 1)[1]
  if not first then break end
  local queue = string.match(first, "^[^:]*")
  running[#running + 1] = queue
  running[#running + 1] = rcall("ZLEXCOUNT", calls, "[" .. queue .. ":", "(" .. queue .. ";")
  last = "[" .. queue .. ";"
end
return {running, rcall("ZRANGE", string.sub(start, 1, -2) .. OWN_KEY .. LIMIT_WAITING .. name, 0, -1)}
