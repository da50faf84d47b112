-- In TypeScript: domain/transitions/expire
-- Fails jobs of a queue that did not start in time. Finding a job in a list means reading all of it, so each run reads
-- one piece, from the end where jobs are taken, and removes all that it finds there at once.
--
-- Returns of each job that failed, here or in a claim, its id and the reason, and how many to skip next time, or -1
-- when there is nothing to do for now: the register says then when there is.
--
-- hooks: the hooks that each end of a job has to tell, as JSON; empty for none
--- @include "attempts/finish"
--- @include "groups/group-places"
--- @include "attempts/failed-expiry"
--- @include "attempts/queue"

-- Jobs that one run looks at: those that are due, and those of a piece of the waiting list.
local MOST_DUE, MOST_WAITING = 200, 500

-- Milliseconds until the next run over a queue with due jobs that were not found anywhere.
local LATER = 2000

local queue = queueOf(prefix, now)
queue.isGrouped, queue.hooks = isGroupedQueue(prefix), hooks
local expired, dropped = {}, 0
local function report(id, reason)
  expired[#expired + 1] = id
  expired[#expired + 1] = reason
end
local function fail(id, expires, prev)
  rcall("ZREM", expiring, id)
  report(id, failExpired(queue, id, tonumber(expires), prev))
end

-- The reason of a job that a claim failed since it did not start in time.
local function failedByClaim(id)
  local record = redis.pcall("HMGET", prefix .. id, "failedReason", EXPIRES, "finishedOn")
  if record["err"] or record[2] or not record[3] then return nil end
  return string.find(record[1] or "", EXPIRED_AFTER, 1, true) == 1 and record[1]
end

-- Under the same id there may be another job by now, or one that a native worker has started or that was cancelled.
local function isPending(id, expires)
  local record = redis.pcall("HMGET", prefix .. id, EXPIRES, "processedOn", "finishedOn")
  if record["err"] or not record[1] or record[2] or record[3] then return false end
  return tonumber(record[1]) == tonumber(expires)
end

local isAnyWaiting = false
local due = rcall("ZRANGEBYSCORE", expiring, "-inf", now, "WITHSCORES", "LIMIT", 0, MOST_DUE)
for at = 1, #due, 2 do
  local id, expires = due[at], due[at + 1]
  if not isPending(id, expires) then
    rcall("ZREM", expiring, id)
    local reason = failedByClaim(id)
    if reason then report(id, reason) else dropped = dropped + 1 end
  elseif rcall("ZREM", delayed, id) == 1 then
    fail(id, expires, "delayed")
  elseif rcall("ZREM", prioritized, id) == 1 then
    fail(id, expires, "prioritized")
  elseif groupPlaces().takeOutOfGroup(prefix, id) == 1 then
    fail(id, expires, "waiting")
  else
    isAnyWaiting = true
  end
end

-- Fails those of a piece of a list that are due. Returns how many jobs there were in the piece, and how many failed.
local function failInPiece(list, first)
  local ids = rcall("LRANGE", list, -(first + MOST_WAITING), -(first + 1))
  local found = {}
  for back = 1, #ids do
    local id = ids[#ids + 1 - back]
    local expires = rcall("ZSCORE", expiring, id)
    if expires and tonumber(expires) <= tonumber(now) and isPending(id, expires) then
      rcall("LSET", list, -(first + back), TAKEN_OUT)
      found[#found + 1] = {id, expires}
    end
  end
  if #found > 0 then
    local isNearHead = first > rcall("LLEN", list) / 2
    rcall("LREM", list, isNearHead and #found or -#found, TAKEN_OUT)
    for _, job in ipairs(found) do fail(job[1], job[2], "waiting") end
  end
  return #ids, #found
end

local isPassed = true
if isAnyWaiting then
  -- An older BullMQ keeps the waiting jobs of a paused queue in another list.
  local list, first, waiting = wait, skip, rcall("LLEN", wait)
  if skip >= waiting then list, first = paused, skip - waiting end
  local looked, found = failInPiece(list, first)
  isPassed = looked < MOST_WAITING and (list == paused or rcall("EXISTS", paused) == 0)
  skip = isPassed and 0 or skip + looked - found
end
keepEnded(queue)

if rcall("ZCOUNT", expiring, "-inf", now) == 0 then
  local nextAt = rcall("ZRANGE", expiring, 0, 0, "WITHSCORES")[2]
  if nextAt then rcall("ZADD", expiringQueues, nextAt, name) else rcall("ZREM", expiringQueues, name) end
  return {expired, -1}
end
if isPassed and #expired + dropped == 0 then
  rcall("ZADD", expiringQueues, tonumber(now) + LATER, name)
  return {expired, -1}
end
return {expired, skip}
