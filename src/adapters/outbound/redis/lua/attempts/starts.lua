-- In TypeScript: domain/queues/start-window
-- The starts that a limiter counts, be it of a queue, of a group or of several queues: a list, oldest first, of the
-- time of each by the store's clock (epoch ms, three decimals) and behind it, in further digits, what it counts, unless
-- that is 1. A release that knows no costs reads the times alone. Beside the list, while it has starts that count other
-- than 1, a key says how much more than 1 each they all count together. A caller who knows that there are none says
-- `isPlain`.

-- Behind the key of a list: that of the other one.
local MORE = "\127"

-- For how many ms longer than the list the other key is kept: it has to be there for as long as the list is.
local MORE_KEPT = 1000

-- Most starts that a run goes through to find when enough of them will have left.
local MOST_READ = 1000

-- Most starts in the same microsecond that a run goes through to find one.
local MOST_EQUAL = 100

-- A start as the list has it.
local function startText(at, cost)
  return string.format("%.3f", at) .. (cost == 1 and "" or string.format("%.0f", cost))
end

-- What a start of the list counts.
local function costOfStart(start) return tonumber(string.match(start, "%.%d%d%d(%d+)$") or 1) end

-- How many of the starts were made up to that time.
local function startsUpTo(starts, time)
  local low, high = 0, rcall("LLEN", starts)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if tonumber(rcall("LINDEX", starts, middle)) > time then high = middle else low = middle + 1 end
  end
  return low
end

-- The starts count more, or less, than before, where they count other than 1.
local function countMore(starts, more)
  if more ~= 0 and rcall("EXISTS", starts .. MORE) == 1 then rcall("INCRBY", starts .. MORE, more) end
end

-- Notes a start within a window of so many ms. More go than come, so that the list holds no more than one window, also
-- after it was made shorter.
local function noteStartIn(starts, window, now, cost, isPlain)
  if rcall("RPUSH", starts, startText(now, cost)) == 1 and not isPlain then rcall("DEL", starts .. MORE) end
  local gone = 0
  for _ = 1, 2 do
    local oldest = rcall("LINDEX", starts, 0)
    if now - tonumber(oldest) < window then break end
    rcall("LPOP", starts)
    if not isPlain then gone = gone + costOfStart(oldest) - 1 end
  end
  rcall("PEXPIRE", starts, window)
  if isPlain then return end
  if rcall("PEXPIRE", starts .. MORE, window + MORE_KEPT) == 0 and cost ~= 1 then
    rcall("SET", starts .. MORE, 0, "PX", window + MORE_KEPT)
  end
  countMore(starts, cost - 1 - gone)
end

-- Goes through starts that count other than 1, oldest first, until others count `excess` less. Answers when (epoch ms)
-- the last of these was made, and how much is left of the excess; nothing when all together count less than that.
-- Those that have left the window go.
local function lastToLeave(starts, excess, outdated)
  local last, read, gone, dropped = nil, 0, 0, 0
  while excess > 0 and read < MOST_READ do
    local some = rcall("LRANGE", starts, read, read + 99)
    if not some[1] then break end
    for _, start in ipairs(some) do
      local cost = costOfStart(start)
      last, read, excess = tonumber(start), read + 1, excess - cost
      if last <= outdated then gone, dropped = gone + cost - 1, dropped + 1 end
      if excess <= 0 then break end
    end
  end
  if dropped > 0 then
    rcall("LTRIM", starts, dropped, -1)
    countMore(starts, -gone)
  end
  return last, excess, read < MOST_READ
end

-- When (epoch ms) a limiter lets a job of this cost start; nothing when it does now. A job that costs more than the
-- maximum starts alone in a window. Answers also whether the clock was set back behind the starts that count.
local function nextStartIn(starts, max, window, now, cost, isPlain)
  local most, last = max - math.min(cost, max)
  local more = not isPlain and rcall("GET", starts .. MORE)
  if more then
    local excess, isWhole
    last, excess, isWhole = lastToLeave(starts, rcall("LLEN", starts) + more - most, now - window)
    if excess > 0 and isWhole then
      -- A replica of a release that knows no costs took starts away: the list itself is right.
      countMore(starts, -excess - most)
      return nextStartIn(starts, max, window, now, cost, isPlain)
    end
    if excess > 0 then return math.max(last + window, now + 1) end
  else
    last = tonumber(rcall("LINDEX", starts, -most - 1) or "")
  end
  if not last then return nil end
  if last > now then return nil, true end
  return last + window > now and last + window or nil
end

-- What the starts of a window count together, and when (epoch ms) the first of them was made, if any.
local function countedIn(starts, window, now, isPlain)
  local outdated, length = startsUpTo(starts, now - window), rcall("LLEN", starts)
  local counted = length - outdated
  local more = not isPlain and rcall("GET", starts .. MORE)
  if more then
    counted = counted + more
    local gone = outdated > 0 and rcall("LRANGE", starts, 0, math.min(outdated, MOST_READ) - 1) or {}
    for _, start in ipairs(gone) do counted = counted + 1 - costOfStart(start) end
  end
  return counted, tonumber(rcall("LINDEX", starts, outdated) or "")
end

-- Takes a start back, as startText has it.
local function takeBackStart(starts, start)
  if rcall("LREM", starts, -1, start) == 1 then countMore(starts, 1 - costOfStart(start)) end
end

-- Sets what a start counts, as startText has it. One that has left the list is left out.
local function correctStart(starts, start, cost)
  local first = startsUpTo(starts, tonumber(start) - 0.0005)
  for index, each in ipairs(rcall("LRANGE", starts, first, first + MOST_EQUAL - 1)) do
    if each == start then
      rcall("LSET", starts, first + index - 1, startText(tonumber(start), cost))
      rcall("SET", starts .. MORE, 0, "NX")
      rcall("PEXPIRE", starts .. MORE, rcall("PTTL", starts) + MORE_KEPT)
      countMore(starts, cost - costOfStart(start))
      return
    end
  end
end
