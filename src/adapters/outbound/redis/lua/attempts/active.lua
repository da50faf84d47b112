-- Whether an attempt holds a job, or held it until its lock ran out: a check for stalled jobs puts that one back.
local function isActive(prefix, id)
  local record = redis.pcall("HMGET", prefix .. id, "processedOn", "finishedOn")
  return not record["err"] and record[1] and not record[2] and rcall("LPOS", prefix .. "active", id) and true or false
end
