-- Returns the records of the replicas that reported themselves of late.
--- @include "reading/store-time"

local now, found = storeTime(), {}
for _, record in ipairs(rcall("HVALS", replicas)) do
  if now - tonumber(string.match(record, "^%d+")) <= seenFor then found[#found + 1] = record end
end
return found
