-- Returns the id of the stored data. Data without one get it now.

local known = rcall("GET", dataId)
if known then return known end
rcall("SET", dataId, id)
return id
