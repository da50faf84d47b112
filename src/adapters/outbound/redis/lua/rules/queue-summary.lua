--- @include "rules/waiting-since"

-- The counts of all states, and when the job could start that has waited longest (as text, and only when one waits).
-- Waiting jobs are in two lists where an older BullMQ paused the queue.
local function summaryOf(active, wait, paused, prioritized, delayed, completed, failed, waitingChildren, jobPrefix)
  local oldest = waitingSince(jobPrefix)
  local counts = {
    rcall("LLEN", active),
    oldest.ofEnds(wait) + oldest.ofEnds(paused) + oldest.ofGroups(),
    oldest.ofPriorities(prioritized),
    rcall("ZCARD", delayed),
    rcall("ZCARD", completed),
    rcall("ZCARD", failed),
    rcall("ZCARD", waitingChildren),
  }
  return {counts, oldest.since and string.format("%.0f", oldest.since)}
end
