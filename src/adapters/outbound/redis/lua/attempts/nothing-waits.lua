--- @include "bullmq/getNextDelayedTimestamp"
--- @include "groups/group-places"

-- Notes that no job waits which may start, and when one may: as the first is due, or the next group is free.
local function noteNothing(queue, claims, turns)
  claims.isEmpty = true
  claims.nextAt = getNextDelayedTimestamp(queue.delayed) or 0
  if not turns then return end
  local freeAt = turns.nextAt()
  if freeAt then claims.nextAt = math.min(freeAt, claims.nextAt > 0 and claims.nextAt or freeAt) end
  claims.wakes = claims.wakes or turns.mayHaveMore
  groupPlaces().forgetTurns(queue.prefix)
end
