-- Notes by when a job must start, in its hash and in the set of its queue. Returns that time.
local function noteExpiry(job, expiring, id, timestamp, ttl)
  local expires = math.min(timestamp + ttl, LARGEST_NUMBER)
  local text = string.format("%.0f", expires)
  rcall("HSET", job, EXPIRES, text)
  rcall("ZADD", expiring, text, id)
  return expires
end

-- The register of the queues with jobs that may expire, and the name of the queue in it: neither has a colon.
local function registerOfExpiring(prefix)
  local ofAll, name = string.match(prefix, "^([^:]*):([^:]*):$")
  return ofAll .. OWN_KEY .. EXPIRING_QUEUES, name
end

-- Lists a queue in the register of those with jobs that may expire, by when the first of these does.
local function listExpiring(queues, name, first)
  local known = rcall("ZSCORE", queues, name)
  if not known or tonumber(known) > first then rcall("ZADD", queues, string.format("%.0f", first), name) end
end
