-- Stores a part of a large add or flow, and in the same run lists the keys, so that none is ever left that is not found
-- (adds/discard-staged). Returns 1, or 0 when the add is to be discarded: then nothing is stored.
--
-- REST: the keys, as adds/stored-keys has them
--- @include "adds/stored-keys"

local began = rcall("ZSCORE", stagedAdds, name)
if not began or began == "0" then return 0 end
rcall("RPUSH", list, unpack(storeKeys(REST, #ARGV)))
return 1
