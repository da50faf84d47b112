-- Returns what is known of the key of an add, or nothing when the key is unknown.
--
-- KEYS[1] record of the key
--
-- ARGV[1] job key prefix
-- ARGV[2] digest of the add's body

local rcall = redis.call
-- The bytes that a job takes in an answer.
local function bytesOf(job)
  return rcall("HSTRLEN", job, "name") + rcall("HSTRLEN", job, "data") + rcall("HSTRLEN", job, "opts")
    + rcall("HSTRLEN", job, "progress") + rcall("HSTRLEN", job, "returnvalue")
    + rcall("HSTRLEN", job, "failedReason") + rcall("HSTRLEN", job, "stacktrace")
end

-- What the record of an add's key says of an add of that body, or nothing when the key is unknown: "other" for another
-- body, "running" while the add stores its jobs in several runs, or "repeated", its time, the number of its first job,
-- the jobs that existed, with the bytes that each takes in an answer, and its defaults.
local function recall(record, body, jobPrefix)
  local known = rcall("GET", record)
  if not known then return nil end
  local timestamp, text = string.match(known, "^(%d*):(.*)$")
  local add = cjson.decode(text)
  if add[1] ~= body then return {"other"} end
  if timestamp == "" then return {"running"} end
  for _, existing in ipairs(add[3]) do
    local job = jobPrefix .. existing[2]
    existing[4] = rcall("TYPE", job).ok == "hash" and bytesOf(job) or 0
  end
  return {"repeated", timestamp, add[2], add[3], add[4]}
end

return recall(KEYS[1], ARGV[2], ARGV[1])
