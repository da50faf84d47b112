--- @include "reading/places"
--- @include "reading/waiting-since"

-- The counts of all states, and when the job could start that has waited longest (as text, and only when one waits).
local function summaryOf(prefix)
  local oldest = waitingSince(prefix)
  local counts = {
    sizeOf(prefix, "active"),
    oldest.ofEnds("wait") + oldest.ofEnds("paused") + oldest.ofGroups(),
    oldest.ofPriorities(),
  }
  for state = 4, #PLACES do counts[state] = sizeOf(prefix, PLACES[state][1]) end
  return {counts, oldest.since and string.format("%.0f", oldest.since)}
end
