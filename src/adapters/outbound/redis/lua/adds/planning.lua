-- In TypeScript: domain/transitions/schedule
--- @include "bullmq/addJobFromScheduler"
--- @include "bullmq/removeJob"
--- @include "families/callers-time"
--- @include "events/job-event"
--- @include "adds/next-of-scheduler"
--- @include "reading/store-time"
--- @include "attempts/take-out"

-- What the functions here need of a scheduler. Whatever consumer starts a job, even a native worker, plans the next one
-- if the slot of the scheduler is that of the job. The slot of a paused scheduler is therefore half a millisecond
-- later, where no job is, and all readers round it.
local function schedulerNamed(prefix, id)
  local schedulers = prefix .. "repeat"
  return {
    id = id,
    prefix = prefix,
    schedulers = schedulers,
    record = schedulers .. ":" .. id,
    delayed = prefix .. "delayed",
    events = prefix .. "events",
    maxEvents = rcall("HGET", prefix .. "meta", "opts.maxLenEvents") or EVENTS_KEPT,
  }
end

local function jobIdOf(scheduler, slot) return "repeat:" .. scheduler.id .. ":" .. slot end

local function pausedScore(slot) return string.match(slot, "^%d+") .. ".5" end

local function isPaused(scheduler) return rcall("HEXISTS", scheduler.record, PAUSED) == 1 end

local function isTaken(scheduler, slot)
  return rcall("HGET", scheduler.record, LAST) == jobIdOf(scheduler, slot) or
    rcall("EXISTS", scheduler.record .. ":" .. slot) == 1
end

-- Removes a job that has not started, and maybe only if it is delayed. Returns whether it did.
local function withdraw(scheduler, jobId, ifDelayed)
  local prefix, prev = scheduler.prefix, "delayed"
  if rcall("EXISTS", prefix .. jobId) == 0 or isPast(prefix, scheduler.id, jobId) then return false end
  if rcall("ZREM", scheduler.delayed, jobId) == 0 then
    if ifDelayed then return false end
    prev = "waiting"
    if takeOut(prefix, jobId, -1) == "unknown" then return false end
  end
  local group = rcall("HGET", prefix .. jobId, GROUP)
  callersTime = math.floor(storeTime())
  removeJob(jobId, true, prefix, true)
  groupEvent(scheduler.events, scheduler.maxEvents, group, "removed", jobId, "prev", prev)
  return true
end

-- Adds the job of a slot, given the time, the delay of the job and its options as JSON.
local function plan(scheduler, slot, timestamp, delay, options)
  local prefix, record = scheduler.prefix, scheduler.record
  rcall("ZADD", scheduler.schedulers, slot, scheduler.id)
  local fields, given = rcall("HMGET", record, "name", "data"), cjson.decode(options)
  addJobFromScheduler(record .. ":" .. slot, jobIdOf(scheduler, slot), given, prefix .. "wait",
    prefix .. "paused", prefix .. "active", prefix .. "meta", prefix .. "prioritized", prefix .. "pc",
    scheduler.delayed, prefix .. "marker", scheduler.events, fields[1] or "", scheduler.maxEvents, tonumber(timestamp),
    fields[2] or "{}", scheduler.id, tonumber(delay))
end
