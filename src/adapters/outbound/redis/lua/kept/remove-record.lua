-- Removes a record, and its folder with its last one. Returns 1, or 0 when there was none.

--- @include "kept/listed-change"

if rcall("HDEL", records, id) == 0 then return 0 end
if rcall("EXISTS", records) == 0 then rcall("SREM", folders, folder) end
if changes ~= records then listChange(records, changes, id) end
return 1
