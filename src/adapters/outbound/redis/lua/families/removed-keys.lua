-- Removes a job with all that it has beside its hash. Returns how many keys these were. BullMQ's functions call it by
-- this name; theirs knows no steps.
local function removeJobKeys(jobKey)
  return rcall("DEL", jobKey, jobKey .. ":logs", jobKey .. ":dependencies", jobKey .. ":processed", jobKey .. ":failed",
    jobKey .. ":unsuccessful", jobKey .. STEP_VALUES)
end
