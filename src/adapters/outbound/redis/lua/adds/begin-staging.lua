-- Begins a large add or flow. It is registered before it stages anything, so that what it leaves is found if nobody
-- finishes it (adds/discard-staged). The numbers of its jobs are reserved, and no jobs for now (adds/staged-number).
--
-- Returns its name and the first number, which is empty for a flow.
--
-- queue: queue of the jobs; empty for a flow
--- @include "reading/store-time"

rcall("ZCARD", stagedAdds)
local first = ""
if queue ~= "" then
  local base = prefix .. ":" .. queue .. ":"
  local counter, numbers = base .. "id", base .. STAGED_NUMBERS
  rcall("ZCARD", numbers)
  if not tonumber(rcall("GET", counter) or 0) then
    return redis.error_reply("WRONGTYPE " .. counter .. " is not a number")
  end
  local last = rcall("INCRBY", counter, count)
  first = string.format("%.0f", last - count + 1)
  rcall("ZADD", numbers, string.format("%.0f", last), first)
end
local name = queue .. ":" .. first .. ":" .. random
rcall("ZADD", stagedAdds, math.floor(storeTime()), name)
return {name, first}
