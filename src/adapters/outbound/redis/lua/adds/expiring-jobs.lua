-- The register of the queues with jobs that may expire, and the name of the queue in it: neither has a colon.
local function registerOfExpiring(prefix)
  local ofAll, name = string.match(prefix, "^([^:]*):([^:]*):$")
  return ofAll .. OWN_KEY .. EXPIRING_QUEUES, name
end

-- Lists a queue there, by when the first of its jobs does.
local function listExpiring(prefix)
  local queues, name = registerOfExpiring(prefix)
  rcall("ZADD", queues, "LT", rcall("ZRANGE", prefix .. EXPIRING, 0, 0, "WITHSCORES")[2], name)
end
