-- In TypeScript: domain/transitions/shared-limits
--- @include "groups/group-places"
--- @include "reading/store-time"
--- @include "limits/limit-keys"
--- @include "limits/limit-window"

-- The limits with room that this run freed, each with whether it did by more than the end of a call.
local freed, hasFreed = {}, false

local function freeLimit(name, byCall)
  freed[name], hasFreed = freed[name] or not byCall, true
end

local function forgetTurn(root, name, queue)
  for _, key in ipairs({LIMIT_TURNS, LIMIT_WAITING, LIMIT_WAITED, LIMIT_YIELDS, LIMIT_OFFERS}) do
    rcall("ZREM", root .. key .. name, queue)
  end
end

-- Others leave room to a queue that waits. It is woken, unless it was already. Answers whether it waits: the group of a
-- flow control key may have no jobs any more.
local function offer(root, name, queue, now)
  local prefix, group = string.sub(root, 1, -#OWN_KEY - 1) .. ":" .. queue .. ":", groupOfFlow(name)
  if group and rcall("HEXISTS", prefix .. GROUP_TURNS, "g" .. group) == 0 then
    forgetTurn(root, name, queue)
    return false
  end
  if rcall("ZADD", root .. LIMIT_OFFERS .. name, "NX", string.format("%.3f", now + PATIENCE), queue) == 1 then
    if group then groupPlaces().unpark(prefix, group) end
    if rcall("EXISTS", prefix .. "meta") == 1 then rcall("ZADD", prefix .. "marker", 0, "0") end
  end
  return true
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
  local concurrency, limiter = settings.concurrency, settings.limiter
  local most = math.min(MOST_OFFERS, (concurrency or math.huge) - rcall("ZCARD", root .. LIMIT_CALLS .. name))
  if most <= 0 or not concurrency and not isMore then return end
  if limiter then most = math.min(most, math.max(1, startsLeftIn(root .. LIMIT_STARTS .. name, limiter, now))) end
  for _, queue in ipairs(rcall("ZRANGE", root .. LIMIT_WAITING .. name, 0, MOST_OFFERS)) do
    if offer(root, name, queue, now) then most = most - 1 end
    if most < 0 then return end
  end
end

-- To be called at the end of a run.
local function offerFreed(prefix)
  if not hasFreed then return end
  for name, isMore in pairs(freed) do offerRoom(limitRoot(prefix), name, isMore) end
end
