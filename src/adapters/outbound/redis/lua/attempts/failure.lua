--- @include "reading/decoded"
--- @include "attempts/one-more"

-- The reasons of the failures of a job, the last ones, with one more.
local function withReason(stacktrace, reason)
  local reasons = decoded(stacktrace)
  reasons[#reasons + 1] = reason
  while #reasons > KEPT_REASONS do table.remove(reasons, 1) end
  return cjson.encode(reasons)
end
