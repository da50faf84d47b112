-- In TypeScript: domain/transitions/expire

-- Most jobs that a run fails because their time to start is over. Beyond it, the claimant is woken to ask again.
local MOST_FAILED_BY_CLAIMS = 100

-- Until when the job of a record, as HGETALL answers it, must start; nothing when it may at any time.
local function expiryOf(record)
  for field = 1, #record, 2 do
    if record[field] == EXPIRES then return tonumber(record[field + 1]) end
  end
end

-- A job that starts in time does not expire any more.
local function startsInTime(prefix, id)
  rcall("HDEL", prefix .. id, EXPIRES)
  rcall("ZREM", prefix .. EXPIRING, id)
end
