--- @include "reading/decoded"

-- Whether a child failed that lets the job go on without the others. A child that is gone has no record to tell.
local function goesOnWithoutChildren(job)
  local latest = rcall("HGET", job, LET_GO)
  if latest and rcall("HEXISTS", job .. ":failed", latest) == 1 then return true end
  for _, child in ipairs(rcall("HKEYS", job .. ":failed")) do
    local parent = redis.pcall("HGET", child, "parent")
    if decoded(type(parent) == "string" and parent).cpof then return true end
  end
  return false
end

-- Whether a job that starts over has to wait for children that have not ended.
local function awaitsChildren(job)
  return rcall("SCARD", job .. ":dependencies") > 0 and not goesOnWithoutChildren(job)
end
