-- Moves jobs to the head of their list that are in one piece of it. Those that come from behind stay behind, and all
-- others in their order. To take jobs out of a list the store walks to them, so all that were found go in one walk.
--
-- Returns how many jobs were looked at, none when the list is short, and the ids of those that were moved.
--
-- REST: the ids

-- Jobs of a list in which each of them is found at once.
local LONGEST_SHORT_LIST = 5000

local length = rcall("LLEN", list)
if length <= LONGEST_SHORT_LIST then return {0, {}} end
local wanted, found = {}, {}
for index = REST, #ARGV do wanted[ARGV[index]] = true end
local ids = rcall("LRANGE", list, -(skip + JOBS_PER_STEP), -(skip + 1))
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
rcall("ZREM", prioritized, "")
for back = 1, #ids do
  local id = ids[#ids + 1 - back]
  if wanted[id] then
    rcall("LSET", list, -(skip + back), TAKEN_OUT)
    found[#found + 1] = id
  end
end
if #found > 0 then
  rcall("LREM", list, skip > length / 2 and #found or -#found, TAKEN_OUT)
  rcall("LPUSH", list, unpack(found))
end
return {#ids, found}
