-- Counts a start in the record of a job, which is that of HGETALL, and takes out of it what is on record of its
-- attempts, unless it was suspended: the last one shows whether it goes on.
-- Returns how often the job has started, and what it awaited if it was suspended.
local function countedStart(record, timestamp)
  local starts, recordedAt, wasSuspended, suspension = 0, nil, false, nil
  for field = 1, #record, 2 do
    local name = record[field]
    if name == "ats" then starts = string.find(record[field + 1], "^%d+$") and record[field + 1] or 0
    elseif name == RECORDED then recordedAt = field + 1
    elseif name == SUSPENSIONS then wasSuspended = true
    elseif name == SUSPENSION then suspension = record[field + 1] end
  end
  if recordedAt and not wasSuspended then record[recordedAt] = "" end
  starts = string.format("%.0f", starts + 1)
  local size = #record
  record[size + 1], record[size + 2], record[size + 3], record[size + 4] = "processedOn", timestamp, "ats", starts
  return starts, suspension
end
