-- Behind a queue's prefix, and before the id of a scheduler: its record. The ids of its jobs begin with it as well, so
-- that other jobs cost no more than a look at their ids.
local REPEAT = "repeat:"

local function isOfScheduler(jobId) return string.sub(jobId, 1, 7) == "repeat:" end

local slotFunctions

-- What the start and the end of a job of a scheduler need: mayStart and noteEnd. It costs nothing in a run without one.
local function slots()
  if slotFunctions then return slotFunctions end
  -- How long (ms) a job that was put aside waits: the claimant removes it at once unless it dies.
  local ASIDE = 1000

  -- Most active jobs that are looked through for one of a native worker, in about a millisecond.
  local MOST_ACTIVE = 10000

  -- The scheduler that the id of a job names, or nothing, and the slot that it names then.
  local function schedulerOf(jobId)
    if not isOfScheduler(jobId) then return nil end
    return string.match(jobId, "^" .. REPEAT .. "(.+):%d+$")
  end
  local function slotOf(jobId) return tonumber(string.match(jobId, "%d+$")) end

  -- Whether the job before the one of a slot had not ended when the slot came.
  local function overlaps(prefix, scheduler, slot, jobId, last, ended)
    if last then
      local before = rcall("HMGET", prefix .. last, "timestamp", "finishedOn")
      if before[1] and not before[2] then return true end
      if tonumber(before[2] or ended or 0) > slot then return true end
    end
    -- Native workers do not note what they take: that is a later job, and older ones are retried by hand.
    local noted = last and slotOf(last) or 0
    for _, id in ipairs(rcall("LRANGE", prefix .. "active", 0, MOST_ACTIVE - 1)) do
      if id ~= jobId and schedulerOf(id) == scheduler and slotOf(id) > noted then return true end
    end
    return false
  end

  -- Whether a job that was taken, and is among the active ones, may start. One of a scheduler that skips slots may
  -- not when the job before it had not ended when its slot came: it is put aside then. Otherwise the job is noted as
  -- the last one of its scheduler.
  local function mayStart(prefix, jobId, timestamp)
    local scheduler = schedulerOf(jobId)
    if not scheduler then return true end
    local record = prefix .. REPEAT .. scheduler
    local kept = redis.pcall("HMGET", record, "ic", OVERLAP, LAST, LAST_ENDED)
    if kept["err"] or not kept[1] or kept[3] == jobId then return true end
    local slot, last = slotOf(jobId), kept[3]
    local isNext = tonumber(rcall("ZSCORE", prefix .. "repeat", scheduler)) == slot
    if last and not isNext and slot <= slotOf(last) then return true end
    if kept[2] == "skip" and overlaps(prefix, scheduler, slot, jobId, last, kept[4]) then
      rcall("LREM", prefix .. "active", 1, jobId)
      rcall("ZADD", prefix .. "delayed", (timestamp + ASIDE) * 0x1000, jobId)
      return false
    end
    rcall("HSET", record, LAST, jobId)
    if timestamp - slot > LATE then
      rcall("HSET", record, LATE_START, string.format("%.0f:%.0f", slot, timestamp))
    end
    rcall("HDEL", record, LAST_ENDED)
    return true
  end

  -- Notes when the last job of a scheduler ended, since it may be gone at once.
  local function noteEnd(prefix, jobId, timestamp)
    local scheduler = schedulerOf(jobId)
    local record = scheduler and prefix .. REPEAT .. scheduler
    if record and redis.pcall("HGET", record, LAST) == jobId then
      rcall("HSET", record, LAST_ENDED, timestamp)
    end
  end

  slotFunctions = {mayStart = mayStart, noteEnd = noteEnd}
  return slotFunctions
end
