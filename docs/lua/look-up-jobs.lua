-- Looks jobs up. Returns for each of the first, as many as an answer may hold, its state and fields as rules/read-fields
-- has them, or nothing when it is not there.
--
-- KEYS[1] any key of the queue
--
-- ARGV[1] job key prefix
-- ARGV[2] how many jobs
-- ARGV[3…] their ids, then the fields to read of each

local rcall = redis.call
-- Returns a function that returns the state of a job of one queue, given its id and two of its times. A job that is
-- nowhere else waits, since the waiting list can only be searched from end to end. Which other places exist is asked
-- once, so no job may move into a new one between two calls.
local function statesIn(prefix)
  local isElsewhere
  local function isIn(place, id) return rcall("ZSCORE", prefix .. place, id) and true end
  return function(id, processedOn, finishedOn)
    if finishedOn and isIn("completed", id) then return "completed" end
    if finishedOn and isIn("failed", id) then return "failed" end
    if processedOn and rcall("LPOS", prefix .. "active", id) then return "active" end
    if isElsewhere == nil then
      isElsewhere = rcall("EXISTS", prefix .. "delayed", prefix .. "prioritized", prefix .. "waiting-children") > 0
    end
    if not isElsewhere then return "waiting" end
    for _, place in ipairs({"delayed", "prioritized", "waiting-children"}) do
      if isIn(place, id) then return place end
    end
    return "waiting"
  end
end
-- Fields that may be long.
local GROWING = {name = true, data = true, failedReason = true, ["jobgate:attempts"] = true}

-- Reads some fields of the first of some jobs, at most `most` and as many as an answer may hold: each behind how often it
-- was started and when it was added, false where there is no such job, and TOO_LARGE in the place of one that is to be
-- read apart. Of the attempts on record the last one will do.
local function readFirst(prefix, names, ids, most)
  local fields, growing, recorded = {"ats", "timestamp"}, {}, nil
  for _, name in ipairs(names) do
    fields[#fields + 1] = name
    if name == "jobgate:attempts" then recorded = #fields end
    if GROWING[name] then growing[#growing + 1] = name end
  end
  local room = 262144

  local function readFields(id)
    local job, size = prefix .. id, 0
    for _, field in ipairs(growing) do
      local length = redis.pcall("HSTRLEN", job, field)
      if type(length) ~= "number" then return false end
      size = size + length
    end
    if size > room then return 1 end
    room = room - size
    local values = redis.pcall("HMGET", job, unpack(fields))
    if values.err or not values[2] then return false end
    if recorded and values[recorded] then values[recorded] = string.match(values[recorded], "[^\n]*$") end
    return values
  end

  local rows = {}
  for index = 1, math.min(#ids, most) do
    local row = readFields(ids[index])
    if row == 1 and index > 1 then break end
    rows[index] = row
    if row == 1 then break end
  end
  return rows
end

local prefix, count = ARGV[1], tonumber(ARGV[2])
local ids, names = {unpack(ARGV, 3, 2 + count)}, {unpack(ARGV, 3 + count)}
local stateOf = statesIn(prefix)
local answers = {}
for index, row in ipairs(readFirst(prefix, names, ids, count)) do
  local id = ids[index]
  local times = row and rcall("HMGET", prefix .. id, "processedOn", "finishedOn")
  answers[index] = row and {stateOf(id, times[1], times[2]), row}
end
return answers
