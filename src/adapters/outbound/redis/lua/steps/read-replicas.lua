-- Returns the records of the replicas that reported themselves of late.
--
-- KEYS[1] replicas
--
-- ARGV[1] how long ago they may have done so, in ms
--- @include "rules/store-time"

local now, found = storeTime(), {}
for _, record in ipairs(rcall("HVALS", KEYS[1])) do
  if now - tonumber(string.match(record, "^%d+")) <= tonumber(ARGV[1]) then found[#found + 1] = record end
end
return found
