-- The register of the queues with jobs that may expire, and the name of the queue in it: neither has a colon.
local function registerOfExpiring(prefix)
  local ofAll, name = string.match(prefix, "^([^:]*):([^:]*):$")
  return ofAll .. OWN_KEY .. EXPIRING_QUEUES, name
end

-- By when a job has to start that is added now: a sum that no double holds is cut.
local function expiryOf(timestamp, ttl)
  return string.format("%.0f", math.min(timestamp + ttl, LARGEST_NUMBER))
end

-- Notes with a job, and with its queue, by when it has to start.
local function noteExpiry(prefix, id, expires)
  rcall("HSET", prefix .. id, EXPIRES, expires)
  rcall("ZADD", prefix .. EXPIRING, expires, id)
end

-- Lists a queue there, by when the first of its jobs does.
local function listExpiring(prefix)
  local queues, name = registerOfExpiring(prefix)
  rcall("ZADD", queues, "LT", rcall("ZRANGE", prefix .. EXPIRING, 0, 0, "WITHSCORES")[2], name)
end
