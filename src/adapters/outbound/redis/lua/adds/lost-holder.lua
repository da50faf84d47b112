--- @include "attempts/holds"

-- Whether the attempt that a step is part of no longer holds its job, which may be one of another queue.
local function isLost(holder)
  return not holds(holder.prefix .. holder.id, holder.id, holder.prefix .. "active", holder.token)
end
