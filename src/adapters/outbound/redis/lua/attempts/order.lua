--- @include "attempts/gate"
--- @include "reading/in-pieces"
--- @include "adds/priority-room"

-- What a priority begins with among the jobs that went back, none of which has an id with one colon.
local PRIORITY = ":"

-- How many jobs may have been put ahead of those that went back before, without these being overlooked.
local OTHERS = 100

-- How many of those that went back before may have been taken away at a time, without others being overlooked.
local GONE = 100

-- How much longer a list may be than what comes before a job, to look for its place from the tail.
local NEAR = 10

-- The number of an active job in the order of the starts, the same until a job starts. Nothing when it is the only
-- one: none can go back beside it before another one starts.
local function numbered(prefix, active, jobId)
  local started = prefix .. GATE_STARTED
  if rcall("HEXISTS", prefix .. "meta", GATED) == 0 or rcall("EXISTS", started) == 0 then
    if rcall("LLEN", active) == 1 then return nil end
    enterGate(prefix)
    for first = 0, rcall("LLEN", active) - 1, AT_ONCE do
      rcall("RPUSH", started, unpack(rcall("LRANGE", active, first, first + AT_ONCE - 1)))
    end
  end
  local place = rcall("LPOS", started, jobId)
  return place and rcall("LLEN", started) - place
end

-- The last of those of a lower number that were put back before, and how many come before what goes behind it.
local function predecessor(returned, wait, number)
  for _ = 1, GONE do
    local id = rcall("ZREVRANGEBYSCORE", returned, "(" .. number, "-inf", "LIMIT", 0, 1)[1]
    if not id then return nil, 0 end
    local place = rcall("LPOS", wait, id, "RANK", -1, "MAXLEN", rcall("ZCARD", returned) + OTHERS)
    if place then return id, rcall("LLEN", wait) - place end
    rcall("ZREM", returned, id)
  end
  return nil, 0
end

-- Puts a job at the head of the list, behind those of a lower number that were put back before. The store looks
-- for a place in a list from its tail: where that is far, what comes before the job is put back behind it instead.
local function putBackWaiting(prefix, wait, jobId, number)
  local returned, before, ahead = prefix .. GATE_RETURNED, nil, 0
  if number then
    before, ahead = predecessor(returned, wait, number)
    rcall("ZADD", returned, number, jobId)
  end
  if before and rcall("LLEN", wait) < NEAR * ahead then
    rcall("LINSERT", wait, "BEFORE", before, jobId)
    return
  end
  local ids = ahead > 0 and rcall("LRANGE", wait, -ahead, -1) or {}
  if ahead > 0 then rcall("LTRIM", wait, 0, -ahead - 1) end
  rcall("RPUSH", wait, jobId)
  inPieces("RPUSH", wait, ids)
end

-- Puts a job ahead of those of its priority, behind those of a lower number that were put back before. The score
-- of what it goes before is found once, and kept until a job starts.
local function putBackPrioritized(prefix, prioritized, jobId, priority, number)
  local returned, member = prefix .. GATE_RETURNED, PRIORITY .. priority
  local isLast = priority >= 0x200000
  local step, base = isLast and 2 or 1, priority * 0x100000000
  local before = number and tonumber(rcall("ZSCORE", returned, member) or "")
  if not before then
    local first = rcall("ZRANGEBYSCORE", prioritized, string.format("%.0f", base - ROOM), "+inf", "WITHSCORES",
      "LIMIT", 0, 1)
    before = tonumber(first[2])
    if not before or (not isLast and before >= base + 0x100000000 - ROOM) then before = base + step end
    if number then rcall("ZADD", returned, string.format("%.0f", before), member) end
  end
  local places = number and rcall("LLEN", prefix .. GATE_STARTED) - number or 0
  rcall("ZADD", prioritized, string.format("%.0f", before - step * (places + 1)), jobId)
end

-- Puts a job that was active back where it was taken, at the head of its place, given its number while it was
-- active. Those that go back before a job starts keep the order in which they started, whichever goes back first.
local function putBack(prefix, wait, prioritized, jobId, number)
  local priority = tonumber(rcall("HGET", prefix .. jobId, "priority") or "") or 0
  if priority > 0 and priority <= 0x200000 then
    putBackPrioritized(prefix, prioritized, jobId, priority, number)
  else
    putBackWaiting(prefix, wait, jobId, number)
  end
end
