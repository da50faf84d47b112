--- @include "rules/job-bytes"
--- @include "rules/place"

-- Returns the contents of a batch, found before anything is written: bytes (of those that exist, by their id), isDelayed,
-- isPrioritized, isExpiring and hasGroups (whether any of them is or has one), events (how many are to come at the most).
local function contentsOf(first, fields, prefix, deduplications)
  local contents = {bytes = {}, events = 0}
  for index = first, #ARGV, fields do
    local delay, priority, _, id, ttl, _, group = placeOf(ARGV[index])
    contents.hasGroups = contents.hasGroups or group
    contents.events = contents.events + (id == "" and not deduplications[index] and 2 or 1)
    if id ~= "" and not contents.bytes[id] and rcall("EXISTS", prefix .. id) == 1 then
      contents.bytes[id] = bytesOf(prefix .. id)
    end
    contents.isDelayed = contents.isDelayed or delay ~= "0"
    contents.isPrioritized = contents.isPrioritized or priority ~= "0"
    contents.isExpiring = contents.isExpiring or ttl ~= "0"
  end
  return contents
end
