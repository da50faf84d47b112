--- @include "reading/places"

-- The counts of the states of a queue, in listing order, and the ids of one page of the jobs of some states. The offset
-- runs over the states together, so pages partition the jobs. A state is "1" in `wanted` where it is.
local function pageOfJobs(prefix, wanted, start, length)
  local counts, page, skip = {}, {}, start
  for index, places in ipairs(PLACES) do
    counts[index] = 0
    for _, place in ipairs(places) do
      local size = sizeOf(prefix, place)
      counts[index] = counts[index] + size
      if string.sub(wanted, index, index) == "1" then
        local last = math.min(size, skip + length - #page) - 1
        for _, id in ipairs(skip <= last and idsOf(prefix, place, skip, last) or {}) do page[#page + 1] = id end
        skip = math.max(0, skip - size)
      end
    end
  end
  return counts, page
end
