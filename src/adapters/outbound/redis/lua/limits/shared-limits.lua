-- In TypeScript: domain/transitions/shared-limits
--- @include "limits/check-limit"

-- In place of a time: the limiter tells it.
local LIMITED_BY_STARTS = -1

-- How many starts a queue may be ahead of one that waits (domain/limits/turns).
local function leadOf(settings)
  local most = math.min(settings.concurrency or math.huge, settings.limiter and settings.limiter.max or math.huge)
  return math.min(math.max(math.floor(most / LEAD_PART), LEAST_LEAD), MOST_LEAD)
end

-- One limit for the claims of a queue.
local function sharedLimit(root, name, queue, settings)
  local self, lead = {name = name}, leadOf(settings)
  local jobs, calls, starts = root .. LIMIT_JOBS .. name, root .. LIMIT_CALLS .. name, root .. LIMIT_STARTS .. name
  local turns, waiting = root .. LIMIT_TURNS .. name, root .. LIMIT_WAITING .. name
  local waited = root .. LIMIT_WAITED .. name
  local yields, offers = root .. LIMIT_YIELDS .. name, root .. LIMIT_OFFERS .. name

  local function callOf(token) return queue .. ":" .. string.sub(token, 1, BATCH_ID_LENGTH) end

  -- The queue that waits with the fewest starts, but for those that did not claim although they were woken, and these.
  local function leader(now)
    local found = rcall("ZRANGE", waiting, 0, MOST_OFFERS, "WITHSCORES")
    for at = 1, #found, 2 do
      if found[at] ~= queue then
        local ends = tonumber(rcall("ZSCORE", offers, found[at]) or "")
        if not ends or ends > now then return found[at], tonumber(found[at + 1]) end
      end
    end
  end

  local function isInTurn(each, now)
    if rcall("ZSCORE", waiting, each) then return true end
    local at = tonumber(rcall("ZSCORE", waited, each) or "")
    return at and at > now - TURNS_LAST
  end

  local function ownStarts(least, now)
    local own = tonumber(rcall("ZSCORE", turns, queue) or "")
    if own and isInTurn(queue, now) then return own end
    least = least or tonumber(rcall("ZREVRANGE", turns, 0, 0, "WITHSCORES")[2]) or 0
    return math.max(own or 0, least)
  end

  -- Why no call of the queue starts: nothing when one may, else in how many ms it has to claim again by itself, or
  -- LIMITED_BY_STARTS, and since when it yields, if it does.
  function self.refusal(token, cost, now)
    local joins = rcall("ZSCORE", calls, callOf(token))
    if settings.concurrency and not joins and rcall("ZCARD", calls) >= settings.concurrency then
      checkLimit(root, name)
      if rcall("ZCARD", calls) >= settings.concurrency then return math.huge end
    end
    if settings.limiter and untilStartIn(starts, settings.limiter, now, cost) > 0 then return LIMITED_BY_STARTS end
    local first, least = leader(now)
    if joins or not first or ownStarts(least, now) < least + lead then return nil end
    local since = tonumber(rcall("ZSCORE", yields, queue) or "") or now
    if now - since >= PATIENCE then return nil end
    offer(root, name, first, now)
    return since + PATIENCE - now, since
  end

  -- Those of a flow control key are forgotten once it rests.
  local function keepTurns()
    if not groupOfFlow(name) then return end
    for _, key in ipairs({turns, waiting, waited, yields, offers}) do rcall("PEXPIRE", key, FLOW_KEPT) end
  end

  -- Answers in how many ms the queue has to claim again by itself.
  function self.wait(rest, since, cost, now)
    local _, least = leader(now)
    rcall("ZADD", turns, ownStarts(least, now), queue)
    rcall("ZADD", waiting, rcall("ZSCORE", turns, queue), queue)
    rcall("ZREM", offers, queue)
    keepTurns()
    if since then rcall("ZADD", yields, string.format("%.3f", since), queue) else rcall("ZREM", yields, queue) end
    if rest ~= LIMITED_BY_STARTS then return rest end
    -- Each queue claims when there is room for those that come before it, too: one claim is made for each start.
    local function untilStart(all) return untilStartIn(starts, settings.limiter, now, all) end
    return math.min(untilStart(cost + rcall("ZRANK", waiting, queue)), untilStart(cost) + LONGEST_DEFERENCE)
  end

  function self.isWaiting() return rcall("ZSCORE", waiting, queue) end

  function self.stopWaiting(now)
    if rcall("ZREM", waiting, queue) == 0 then return end
    rcall("ZADD", waited, string.format("%.3f", now), queue)
    rcall("ZREM", offers, queue)
    rcall("ZREM", yields, queue)
    freeLimit(name)
  end

  -- Starts count while other queues wait.
  local function countTurn(now, wantsMore)
    if rcall("EXISTS", turns) == 0 then return end
    rcall("ZREMRANGEBYSCORE", waited, "-inf", now - TURNS_LAST)
    local others, waits = rcall("ZCARD", waiting) + rcall("ZCARD", waited), rcall("ZSCORE", waiting, queue)
    if waits then others = others - 1 end
    if rcall("ZSCORE", waited, queue) then others = others - 1 end
    if others == 0 and not (waits and wantsMore) then
      rcall("UNLINK", turns, waiting, waited, yields, offers)
      return
    end
    rcall("ZREM", offers, queue)
    rcall("ZREM", yields, queue)
    if others == 0 then return end
    local first, least = leader(now)
    local own = ownStarts(least, now) + 1
    rcall("ZADD", turns, own, queue)
    if waits then
      rcall("ZADD", waited, string.format("%.3f", now), queue)
      if wantsMore then rcall("ZADD", waiting, own, queue) else rcall("ZREM", waiting, queue) end
    end
    keepTurns()
    if first then freeLimit(name) end
  end

  -- In how many ms a queue may claim again that gets no job of this cost because of this limit alone, or nothing.
  function self.rest(cost, now)
    local rest, since = self.refusal("", cost, now)
    if not rest then return nil end
    return math.min(leader(now) and LONGEST_REST or LONGEST_FLOW_REST, self.wait(rest, since, cost, now))
  end

  function self.started(token, now, cost, wantsMore)
    rcall("ZADD", jobs, 0, queue .. ":" .. token)
    rcall("ZADD", calls, 0, callOf(token))
    if settings.limiter and cost then noteStartIn(starts, windowOf(settings.limiter), now, cost) end
    countTurn(now, wantsMore)
  end

  return self
end

-- The limits that the queue of some claims shares.
--
-- names: as JSON
local function sharedLimitsOf(queue, names)
  local root, own, limits = limitRoot(queue.prefix), queueInPrefix(queue.prefix), {}
  for _, name in ipairs(cjson.decode(names)) do
    local settings = limitSettings(root, name)
    if settings then limits[#limits + 1] = sharedLimit(root, name, own, settings) end
  end

  local self = {hasRefused = false}

  -- In how many ms a claim may be made again by itself that gets no job of this cost because of the limits, or nothing.
  -- The queue waits at the limits that refuse it, and at no other.
  function self.refusal(token, cost)
    local now, rests, since = storeTime(), {}, {}
    for at, limit in ipairs(limits) do rests[at], since[at] = limit.refusal(token, cost, now) end
    if not next(rests) then return nil end
    self.hasRefused = true
    local least = LONGEST_REST
    for at, limit in ipairs(limits) do
      if rests[at] then least = math.min(least, limit.wait(rests[at], since[at], cost, now))
      else limit.stopWaiting(now) end
    end
    return math.ceil(least)
  end

  -- Whether a limit refused the latest claim of the queue: what wakes it is an offer of room.
  function self.isWaiting()
    for _, limit in ipairs(limits) do if limit.isWaiting() then return true end end
  end

  function self.stopWaiting()
    for _, limit in ipairs(limits) do limit.stopWaiting(storeTime()) end
  end

  -- Answers what the field COUNTED of the job keeps of its start. One that must fail makes no call, and does not count.
  --
  -- flow: the limit of its flow control key, or nothing; goesOn: whether the claimant takes more jobs, if there are any
  function self.started(flow, id, job, token, now, cost, counted, goesOn)
    local all, names, isCounted = {unpack(limits)}, {}, rcall("HEXISTS", job, DEFERRED_FAILURE) == 0
    if flow then all[#all + 1] = flow end
    if #all == 0 then return counted end
    local wantsMore = goesOn and rcall("EXISTS", queue.wait, queue.prioritized, queue.prefix .. GROUP_WAITING) > 0
    for at, limit in ipairs(all) do
      limit.started(token, now, isCounted and cost, wantsMore)
      names[at] = limit.name
    end
    rcall("HSET", queue.prefix .. LIMITED, token, table.concat(names, ",") .. " " .. id)
    rcall("HSETNX", queue.meta, LIMITED, 1)
    return counted or startText(now, cost)
  end

  return self
end
