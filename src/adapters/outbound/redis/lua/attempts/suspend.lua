-- In TypeScript: domain/transitions/suspend, domain/transitions/settle
-- Saves the steps of an answer and suspends the job that an attempt holds, which ends, or changes nothing. Returns
-- "suspended" with the move of the breaker or an empty text, "refused" with the reason and whether the job fails for
-- good (1 or 0), the refusal of adds/queue-room, "lost" when the attempt does not hold the job, "repeated" when the
-- same report ended it before; CAME_LATE.
--
-- call: the record of the attempt as `endedCall` writes it, empty for none
-- verdict: that on the call, as JSON, empty for none
-- cost: what limiters count for its start, if that was reported
-- isReported: when the holder of the token reports it
-- deadline: epoch ms of the store
-- request: as JSON, id (prefix of the ids of jobs that it adds), sleeps (name, duration), signals (name, key, timeout),
--   added (name, count)
-- stepCount: how many there are
-- terms: of the queues, as queuesOfFlow has them
-- stagedName: name of the staged add (adds/stage-jobs) that has the hashes of the jobs to add, empty when there is none
-- REST: of each step to save its name and value; of each job to add the position of its queue, its place, name, and
--   data and options, which are empty where they are staged
--- @include "adds/flow-jobs"
--- @include "adds/flow-queue"
--- @include "attempts/counted"
--- @include "adds/staged-add"
--- @include "attempts/holds"
--- @include "attempts/queue"
--- @include "attempts/report"
--- @include "attempts/rest-until"
--- @include "attempts/steps"
--- @include "attempts/verdict"
--- @include "attempts/wait-again"
--- @include "attempts/waits"
--- @include "attempts/with-attempt"
--- @include "bullmq/isQueuePausedOrMaxed"
--- @include "events/event-text"
--- @include "limits/attempt-leaves"
--- @include "reading/in-time"

if cameLate(deadline) then return CAME_LATE end
local queue, time = queueOf(prefix, timestamp), tonumber(timestamp)
local memory, report = prefix .. REPORTS .. token, "suspended:" .. id
if rcall("EXISTS", job) == 0 or not holds(job, id, active, token) or not rcall("LPOS", active, id) then
  return {isReported and rcall("GET", memory) == report and "repeated" or "lost"}
end
local opts, suspensions, startedAt, recorded, group, priority =
  unpack(rcall("HMGET", job, "opts", SUSPENSIONS, "processedOn", RECORDED, GROUP, "priority"))
local function refused(reason, isFinal) return {"refused", reason, isFinal and 1 or 0} end

local most = tonumber(decoded(opts).maxCalls) or MOST_SUSPENSIONS
if (tonumber(suspensions) or 0) >= most then
  return refused(string.format("Suspended %.0f times", most), true)
end

-- Splits the request into steps that are over at once and waits for the others. Saved names are skipped.
local asked, steps, saved, waits, isKnown = cjson.decode(request), stepsOf(job), {}, {}, {}
local function isNew(name)
  if isKnown[name] or rcall("HEXISTS", job .. STEP_VALUES, name) == 1 then return false end
  isKnown[name] = true
  return true
end
local function save(name, kind, value)
  saved[#saved + 1] = {name = name, kind = kind, value = value}
  countStep(steps, name, #value)
end

local at = REST
for _ = 1, stepCount do
  if isNew(ARGV[at]) then save(ARGV[at], STEP_OF_VALUE, ARGV[at + 1]) end
  at = at + 2
end
for _, each in ipairs(asked.sleeps) do
  if isNew(each.name) then waits[#waits + 1] = {name = each.name, kind = "sleep", ["until"] = time + each.duration} end
end
for _, each in ipairs(asked.signals) do
  if isNew(each.name) then
    local keptUntil = tonumber(rcall("ZSCORE", prefix .. SIGNALS_KEPT, each.key) or "")
    if keptUntil and keptUntil > time then
      save(each.name, STEP_OF_SIGNAL, rcall("HGET", prefix .. SIGNAL_BODIES, each.key))
    else
      local till = each.timeout and time + each.timeout or nil
      waits[#waits + 1] = {name = each.name, kind = "signal", key = each.key, ["until"] = till}
    end
  end
end

local ofAll, jobs = string.match(prefix, "^[^:]*"), {}
local queues, problem = queuesOfFlow(ofAll, terms)
if problem then return problem end
-- The hashes that are staged of jobs that are not added: the names of their steps are saved already.
local left, position, isStaged, lacking = {}, 0, stagedName ~= "", {}
local parent = cjson.encode({id = id, queueKey = string.sub(prefix, 1, -2), idof = true})
local function addJob()
  local child, full = flowJob(queues[tonumber(ARGV[at])], ARGV[at + 1], at + 2, asked.id .. "-" .. position)
  if full then lacking[#lacking + 1] = {position - 1, full} end
  child.above, child.family, child.isStaged = job, {"parentKey", job, "parent", parent}, isStaged
  jobs[#jobs + 1] = child
  return {queue = child.queue.name, id = child.id}
end
for _, each in ipairs(asked.added) do
  local isAdded, added = isNew(each.name), {}
  for index = 1, each.count do
    position = position + 1
    if isAdded then
      added[index] = addJob()
    elseif isStaged then
      left[#left + 1] = queues[tonumber(ARGV[at])].base .. asked.id .. "-" .. position
    end
    at = at + 5
  end
  if isAdded and each.count == 0 then
    save(each.name, STEP_OF_JOBS, "[]")
  elseif isAdded then
    waits[#waits + 1] = {name = each.name, kind = "jobs", jobs = added}
  end
end

local list = isStaged and wholeListOf(stagedAdds, ofAll, stagedName, position)
if isStaged and not list then return CAME_LATE end
if #saved + #waits == 0 then return refused("206 names no new step") end
local excess = excessOf(steps)
if excess then return refused(excess, true) end
for _, each in ipairs(waits) do
  if each.key and countWaitingFor(prefix, each.key) >= MOST_WAITING_FOR_SIGNAL then
    return refused(MOST_WAITING_FOR_SIGNAL .. " jobs wait for the signal " .. each.key)
  end
end
local refusal = refusalOf(excessIn(queues), lacking)
if refusal then return refusal end

-- The writes that take no memory go first, or a store whose memory is used up refuses all of them.
rcall("DEL", job .. ":lock")
rcall("SREM", queue.stalled, id)
rcall("XTRIM", queue.events, "MAXLEN", "~", keepEvents(queue.meta))
if cost then countAnew(queue, id, group, cost, token) end
rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY, COUNTED, DEFERRALS)
if list then
  rcall("UNLINK", list, unpack(left))
  rcall("ZREM", stagedAdds, stagedName)
end
if isReported then rememberReport(memory, prefix .. ACCEPTED, prefix .. ACCEPTANCES, report, id) end
local move = verdict ~= "" and judge(prefix, id, token, cjson.decode(verdict)) or ""
if group then groupPlaces().leaveGroup(prefix, group, id) end
leaveLimitsOf(prefix, token)

for _, each in ipairs(saved) do
  if each.kind == STEP_OF_VALUE then noteSaved(steps, token, each.name) end
  putStep(steps, each.name, each.kind, time, each.value)
end
local known = writeSteps(steps)
if call ~= "" then
  rcall("HSET", job, RECORDED, withAttempt(recorded, startedAt, timestamp, call, known, ":" .. token))
end
local micros = rcall("TIME")
local since = string.format("%010.0f%06.0f", micros[1], micros[2])
rcall("HSET", job, SUSPENSION, cjson.encode({since = since, waits = waits}))
rcall("HINCRBY", job, SUSPENSIONS, 1)

rcall("LREM", active, -1, id)
if #waits > 0 then
  local till, names = 0, {}
  for index, each in ipairs(waits) do
    names[index] = '"' .. each.name .. '"'
    till = till and each["until"] and math.max(till, each["until"])
  end
  noteWaits(prefix, id, since, waits)
  if #jobs > 0 then
    storeJobs(queues, jobs, timestamp, registry)
    rcall("HSET", job, "delay", 0)
    rcall("ZADD", prefix .. "waiting-children", time, id)
    groupEvent(queue.events, nil, group, "waiting-children", id, "prev", "active")
  else
    restUntil(queue, id, till, time)
  end
  if group then holdGroupFor(queue, group, id) end
  local data = '{"steps":[' .. table.concat(names, ",") .. '],"until":' ..
    (till and string.format("%.0f", till) or "null") .. "}"
  groupEvent(queue.events, nil, group, "suspended", id, "suspension", eventValue(data))
else
  goOnAhead(queue, id, group, priority)
end
if not isQueuePausedOrMaxed(queue.meta, active) then rcall("ZADD", queue.marker, 0, "0") end
return {"suspended", move}
