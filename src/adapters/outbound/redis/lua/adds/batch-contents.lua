--- @include "adds/job-bytes"
--- @include "adds/place"

-- Returns the contents of a batch, found before anything is written: bytes (of those that exist, by their id),
-- isDelayed, isPrioritized, isExpiring and hasGroups (whether any of them is or has one), events (how many are to come
-- at the most).
local function contentsOf(first, fields, prefix, deduplications)
  local bytes, events, hasGroups, isDelayed, isPrioritized, isExpiring = {}, 0, nil, false, false, false
  for index = first, #ARGV, fields do
    local place = ARGV[index]
    -- Most jobs of a large batch have no options that matter to where they go.
    if place == "" then
      events = events + (deduplications[index] and 1 or 2)
    else
      local delay, priority, _, id, ttl, _, group = placeOf(place)
      hasGroups = hasGroups or group
      events = events + (id == "" and not deduplications[index] and 2 or 1)
      if id ~= "" and not bytes[id] and rcall("EXISTS", prefix .. id) == 1 then bytes[id] = bytesOf(prefix .. id) end
      isDelayed = isDelayed or delay ~= "0"
      isPrioritized = isPrioritized or priority ~= "0"
      isExpiring = isExpiring or ttl ~= "0"
    end
  end
  return {
    bytes = bytes, events = events, hasGroups = hasGroups, isDelayed = isDelayed, isPrioritized = isPrioritized,
    isExpiring = isExpiring,
  }
end
