-- In TypeScript: domain/values/stop
--- @include "reading/decoded"

-- Whether a stop takes the place of the one that is kept: the first stays, unless the other gives another reason. Both
-- are JSON; the new one is empty where it is not known, and the kept one no text.
local function isLaterStop(kept, stop)
  if stop == "" then return false end
  local before, reason = decoded(kept), decoded(stop)["reason"]
  return not before["by"] or reason ~= cjson.null and reason ~= before["reason"]
end
