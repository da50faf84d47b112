-- Whether the id is a number that a staged add has reserved: what is stored under it is no job yet. No id of a client
-- is a number in this form.
local function isStagedNumber(prefix, id)
  if not string.find(id, "^[1-9]%d*$") then return false end
  local range = rcall("ZRANGEBYSCORE", prefix .. STAGED_NUMBERS, id, "+inf", "LIMIT", 0, 1)[1]
  return range and tonumber(range) <= tonumber(id)
end

-- The same of a job, by its key.
local function isStagedJob(job)
  local prefix, id = string.match(job, "^([^:]*:[^:]*:)(.*)$")
  return isStagedNumber(prefix, id)
end
