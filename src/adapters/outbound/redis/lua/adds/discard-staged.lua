-- Removes a part of what a large add or flow has staged and not made visible, the latest first: so a number is hidden
-- until nothing is stored under it. From the first part on the add can stage nothing, and cannot become visible.
--
-- Returns 1, or 0 when there is nothing to discard.
--
-- name: name of the add; empty for any that began too long ago
-- most: most keys to remove
--- @include "adds/staged-add"
--- @include "reading/store-time"

if name == "" then
  local latest = string.format("%.0f", storeTime() - STAGED_FOR)
  name = rcall("ZRANGEBYSCORE", stagedAdds, "-inf", latest, "LIMIT", 0, 1)[1]
end
if not name or not rcall("ZSCORE", stagedAdds, name) then return 0 end

local list = listOf(prefix, name)
local keys = rcall("LRANGE", list, -most, -1)
-- The writes that take no memory go first, or a store whose memory is used up refuses all of them.
rcall("LTRIM", list, 0, -most - 1)
if #keys > 0 then rcall("UNLINK", unpack(keys)) end
local base, first = numbersOf(prefix, name)
local isDone = rcall("EXISTS", list) == 0
if base then
  -- The jobs that others stand for have ranges of their own, which begin with one of them (adds/add-staged).
  local numbers = {isDone and first or ""}
  for _, key in ipairs(keys) do
    if string.sub(key, 1, #base) == base then numbers[#numbers + 1] = string.sub(key, #base + 1) end
  end
  rcall("ZREM", base .. STAGED_NUMBERS, unpack(numbers))
end
if isDone then rcall("ZREM", stagedAdds, name) else rcall("ZADD", stagedAdds, 0, name) end
return 1
