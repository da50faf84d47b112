-- In TypeScript: domain/calls/destination
--- @include "reading/decoded"

-- Whether a job names its own destination, by its options as JSON: it shares no call, and is no probe.
local function hasDestination(options)
  if not options or not string.find(options, '"endpoint":', 1, true) then return false end
  local given = decoded(options).endpoint
  return type(given) == "table" and type(given.url) == "string"
end
