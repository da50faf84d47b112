--- @include "rules/id-in-group"

-- The counts of the states of a queue, in the order of their places, and the ids of one page of the jobs of some
-- states.
-- The offset runs over the states together, so pages partition the jobs. A state is "1" where it is wanted. Waiting
-- jobs are in two lists where an older BullMQ paused the queue.
local function pageOfJobs(active, wait, paused, prioritized, delayed, completed, failed, waitingChildren, start, length,
  wanted)
  local skip, room = tonumber(start), tonumber(length)
  local states = {
    {active}, {wait, paused, string.sub(wait, 1, -5) .. GROUP_WAITING}, {prioritized}, {delayed}, {completed}, {failed},
    {waitingChildren}}
  local counts, page = {}, {}
  for index, keys in ipairs(states) do
    local total = 0
    for place, key in ipairs(keys) do
      local isList, isOfGroups = index <= 2, index == 2 and place == 3
      if isOfGroups then isList = false end
      local size = rcall(isList and "LLEN" or "ZCARD", key)
      total = total + size
      if wanted[index] == "1" then
        if skip >= size then
          skip = skip - size
        elseif room > 0 then
          local first, last = string.format("%.0f", skip), string.format("%.0f", skip + room - 1)
          local ids = rcall(isList and "LRANGE" or "ZREVRANGE", key, first, last)
          for _, id in ipairs(ids) do
            page[#page + 1] = isOfGroups and idInGroup(id) or id
          end
          room = room - #ids
          skip = 0
        end
      end
    end
    counts[index] = total
  end
  return counts, page
end
