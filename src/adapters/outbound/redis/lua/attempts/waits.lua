--- @include "reading/decoded"

-- Which jobs of a queue wait for signals, and which signals are kept.

-- The range of those that wait for a signal: no key has a space.
local function rangeOfWaits(key) return "[" .. key .. " ", "(" .. key .. "!" end

local function countWaitingFor(prefix, key) return rcall("ZLEXCOUNT", prefix .. SIGNAL_WAITS, rangeOfWaits(key)) end

-- Lists a signal no more that nothing waits for and that is not kept.
local function leaveSignal(prefix, key)
  if countWaitingFor(prefix, key) == 0 and not rcall("ZSCORE", prefix .. SIGNALS_KEPT, key) then
    rcall("ZREM", prefix .. SIGNALS, key)
  end
end

-- What a job awaits, and since when, as one of SIGNAL_WAITS has it; nothing when it does so no more, as a native client
-- may have removed it.
local function suspensionOf(prefix, member)
  local since, id = string.match(member, "^[^ ]+ (%d+) (.*)$")
  local text = redis.pcall("HGET", prefix .. id, SUSPENSION)
  local suspension = type(text) == "string" and decoded(text) or {}
  if suspension.since == since then return suspension, id end
end

-- A job is suspended from now on: signals find it.
local function noteWaits(prefix, id, since, waits)
  rcall("SADD", prefix .. SUSPENDED, id)
  for _, each in ipairs(waits) do
    if each.key then
      rcall("ZADD", prefix .. SIGNAL_WAITS, 0, each.key .. " " .. since .. " " .. id)
      rcall("ZADD", prefix .. SIGNALS, 0, each.key)
    end
  end
end

-- A job is suspended no more: no signal finds it. `text` is what it awaited.
local function forgetWaits(prefix, id, text)
  local suspension = decoded(text)
  rcall("SREM", prefix .. SUSPENDED, id)
  for _, wait in ipairs(suspension.waits or {}) do
    if wait.key and rcall("ZREM", prefix .. SIGNAL_WAITS, wait.key .. " " .. suspension.since .. " " .. id) == 1 then
      leaveSignal(prefix, wait.key)
    end
  end
end

-- Forgets kept signals whose time is over. The others that a run leaves are forgotten by the next ones.
local function forgetKept(prefix, now)
  for _, key in ipairs(rcall("ZRANGEBYSCORE", prefix .. SIGNALS_KEPT, "-inf", now, "LIMIT", 0, AT_ONCE)) do
    rcall("ZREM", prefix .. SIGNALS_KEPT, key)
    rcall("HDEL", prefix .. SIGNAL_BODIES, key)
    leaveSignal(prefix, key)
  end
end
