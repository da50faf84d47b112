--- @include "attempts/one-more"

-- Counts a start in the record of a job, which is that of HGETALL, and takes out of it what is on record of its
-- attempts; of one that was suspended all but the last, which shows whether it goes on.
-- Returns how often the job has started, what it awaited if it was suspended, and what is known of its steps, if any.
local function countedStart(record, timestamp)
  local starts, recordedAt, wasSuspended, suspension, steps = nil, nil, false, nil, nil
  for field = 1, #record, 2 do
    local name = record[field]
    if name == "ats" then starts = string.match(record[field + 1], "^%d+$")
    elseif name == RECORDED then recordedAt = field + 1
    elseif name == SUSPENSIONS then wasSuspended = true
    elseif name == SUSPENSION then suspension = record[field + 1]
    elseif name == STEPS then steps = record[field + 1] end
  end
  if recordedAt then record[recordedAt] = wasSuspended and string.gsub(record[recordedAt], "^.*\n", "") or "" end
  starts = oneMore(starts)
  local size = #record
  record[size + 1], record[size + 2], record[size + 3], record[size + 4] = "processedOn", timestamp, "ats", starts
  return starts, suspension, steps
end
