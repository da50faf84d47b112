-- Claims the key of an add that stores its jobs in several runs, which spares others the work. Returns nothing when the
-- key is free, or what is known of it.
--- @include "adds/recalled-add"

-- How long the claim lasts, in ms: about as long as a large add.
local CLAIMED_FOR = 5000

local known = recall(record, body)
if known then return known end
rcall("SET", record, ":" .. cjson.encode({body}), "PX", CLAIMED_FOR)
return false
