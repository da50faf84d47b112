-- Returns the next jobs of a sorted set, from its end: the ids each with its score, and the first of the jobs as
-- reading/rows has them; none where no field is asked for. Where a place was is found by halving, whether its job is
-- still there or not.
--
-- score: score of the job behind which to begin, empty for the end of the set
-- REST: fields to read of each
--- @include "reading/rows"

local names = {unpack(ARGV, REST)}

-- As the store compares them: byte by byte.
local function isLess(one, other)
  for at = 1, math.min(#one, #other) do
    local a, b = string.byte(one, at), string.byte(other, at)
    if a ~= b then return a < b end
  end
  return #one < #other
end

local first = 0
if score then
  local last = rcall("ZCARD", set)
  while first < last do
    local middle = math.floor((first + last) / 2)
    local member = rcall("ZREVRANGE", set, middle, middle, "WITHSCORES")
    local its = tonumber(member[2])
    if its < score or (its == score and isLess(member[1], id)) then last = middle else first = middle + 1 end
  end
end

local members = rcall("ZREVRANGE", set, first, first + most - 1, "WITHSCORES")
if #names == 0 then return {members} end
local ids = {}
for index = 1, #members, 2 do ids[#ids + 1] = members[index] end
return {members, rowsOf(prefix, ids, names)}
