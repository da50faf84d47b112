-- In TypeScript: domain/transitions/shared-limits
--- @include "reading/store-time"
--- @include "limits/limit-keys"
--- @include "limits/limit-window"

-- The limits with room that this run freed, each with whether it did by more than the end of a call.
local freed, hasFreed = {}, false

local function freeLimit(name, byCall)
  freed[name], hasFreed = freed[name] or not byCall, true
end

-- Others leave room to a queue that waits. It is woken, unless it was already.
local function offer(root, name, queue, now)
  local isNew = rcall("ZADD", root .. LIMIT_OFFERS .. name, "NX", string.format("%.3f", now + PATIENCE), queue) == 1
  if not isNew then return end
  local prefix = string.sub(root, 1, -#OWN_KEY - 1) .. ":" .. queue .. ":"
  if rcall("EXISTS", prefix .. "meta") == 1 then rcall("ZADD", prefix .. "marker", 0, "0") end
end

local function forgetTurn(root, name, queue)
  for _, key in ipairs({LIMIT_TURNS, LIMIT_WAITING, LIMIT_WAITED, LIMIT_YIELDS, LIMIT_OFFERS}) do
    rcall("ZREM", root .. key .. name, queue)
  end
end

-- Offers the room of a limit to the queues that wait first, and to one more, should one of them not claim; one waits
-- for the time when its limiter has room. A limit of starts alone has no more room by the end of a call.
local function offerRoom(root, name, isMore)
  if rcall("EXISTS", root .. LIMIT_WAITING .. name) == 0 then return end
  local settings, now = limitSettings(root, name), storeTime()
  if not settings then return end
  for _, queue in ipairs(rcall("ZRANGEBYSCORE", root .. LIMIT_OFFERS .. name, "-inf", now)) do
    forgetTurn(root, name, queue)
  end
  local most = MOST_OFFERS
  local concurrency, limiter = settings.concurrency, settings.limiter
  if concurrency then most = math.min(most, concurrency - rcall("ZCARD", root .. LIMIT_CALLS .. name)) end
  if most <= 0 or not concurrency and not isMore then return end
  if limiter then most = math.min(most, math.max(1, startsLeftIn(root .. LIMIT_STARTS .. name, limiter, now))) end
  for _, queue in ipairs(rcall("ZRANGE", root .. LIMIT_WAITING .. name, 0, most)) do
    offer(root, name, queue, now)
  end
end

-- To be called at the end of a run.
local function offerFreed(prefix)
  if not hasFreed then return end
  for name, isMore in pairs(freed) do offerRoom(limitRoot(prefix), name, isMore) end
end
