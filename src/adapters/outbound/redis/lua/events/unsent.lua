-- In TypeScript: domain/transitions/unsent
--- @include "adds/new-job"

-- How many messages of a hook wait is bounded where they are added (domain/transitions/unsent).
--
-- root: the part of a key before the name of a queue, now: epoch ms, failing: the hooks to tell, by the one that fails.
local function unsentOf(root, now, failing)
  local self = {}

  -- Takes a message from where it waits. One that is being sent stays, one that is gone counts no longer.
  local function takeWaiting(prefix, id)
    if rcall("ZREM", prefix .. "delayed", id) == 1 then return true end
    if rcall("EXISTS", prefix .. id .. ":lock") == 1 then return false end
    if rcall("LREM", prefix .. "wait", -1, id) == 1 then return true end
    if rcall("HGET", prefix .. id, "finishedOn") or rcall("EXISTS", prefix .. id) == 0 then
      rcall("ZREM", prefix .. UNSENT, id)
    end
    return false
  end

  local function fail(prefix, id)
    local failed = prefix .. "failed"
    rcall("ZREM", prefix .. UNSENT, id)
    rcall("HSET", prefix .. id, "failedReason", TOO_MANY_UNSENT, "finishedOn", now, "delay", 0)
    rcall("ZADD", failed, now, id)
    for _, oldest in ipairs(rcall("ZRANGE", failed, 0, rcall("ZCARD", failed) - DELIVERIES_KEPT - 1)) do
      rcall("ZREM", failed, oldest)
      rcall("DEL", prefix .. oldest, prefix .. oldest .. ":logs")
    end
  end

  -- Fails the oldest message that is not being sent, and returns its id.
  local function failOldest(prefix)
    for _, id in ipairs(rcall("ZRANGE", prefix .. UNSENT, 0, rcall("LLEN", prefix .. "active"))) do
      if takeWaiting(prefix, id) then
        fail(prefix, id)
        return id
      end
    end
  end

  -- Two hooks that tell each other end where both are full: each is told of once.
  local function tell(hook, id)
    local data
    for _, told in ipairs(failing[hook] or {}) do
      data = data or cjson.encode({message = {kind = "failing", type = "hook.failing", at = tonumber(now),
        failing = hook, delivery = id, reason = TOO_MANY_UNSENT}})
      self.add(told, told .. ".failing." .. id, "hook.failing", data)
    end
  end

  -- Fails the oldest messages beyond those that may wait, `most` of them.
  local function bound(prefix, hook, most)
    for _ = 1, math.min(most, rcall("ZCARD", prefix .. UNSENT) - MOST_UNSENT) do
      local id = failOldest(prefix)
      if id and rcall("SET", prefix .. IS_FULL, "1", "NX") then tell(hook, id) end
    end
  end

  -- Notes messages that were added, the last of them under this number of the queue.
  function self.note(hook, ids, number)
    local prefix = root .. OF_HOOK .. hook .. ":"
    local before = rcall("ZCARD", prefix .. UNSENT)
    if before < FEW_UNSENT then rcall("DEL", prefix .. IS_FULL) end
    for index, id in ipairs(ids) do rcall("ZADD", prefix .. UNSENT, "NX", number - #ids + index, id) end
    if before + #ids > MOST_UNSENT then bound(prefix, hook, MOST_FAILED_FOR_ONE * #ids) end
  end

  -- Adds a message unless its id exists. Without an id it gets one of the hook, the time and its number.
  function self.add(hook, id, name, data)
    local prefix = root .. OF_HOOK .. hook .. ":"
    if id and rcall("EXISTS", prefix .. id) == 1 then return end
    local number = rcall("INCR", prefix .. "id")
    id = id or hook .. "." .. string.format("%.0f", now) .. "." .. number
    writeJob(prefix .. id, name, data, DELIVERY_OPTIONS, now, 0, 0)
    rcall("LPUSH", prefix .. "wait", id)
    rcall("ZADD", prefix .. "marker", 0, "0")
    self.note(hook, {id}, number)
  end

  return self
end
