-- Adds that field. The store keeps children beside their parent, so it has to be asked for them; not for a job
-- that only has a number for an id, as most have, since jobs of flows are known by more.
local function markedParent(jobKey, jobId, record)
  if not string.find(jobId, "^%d+$") and rcall("EXISTS", jobKey .. ":dependencies", jobKey .. ":processed",
      jobKey .. ":failed", jobKey .. ":unsuccessful") > 0 then
    record[#record + 1] = IS_PARENT
    record[#record + 1] = "1"
  end
  return record
end
