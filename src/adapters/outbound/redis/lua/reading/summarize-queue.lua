-- Returns the counts of a queue's states, and since when the job has waited that waits longest, if one does.
--- @include "reading/queue-summary"

return summaryOf(prefix)
