-- Returns the next jobs of a list, from its head, where jobs come in. All move when one comes or goes, so the place to
-- begin is found by the jobs next to it: those that were seen, and those that were not. One that was started since may
-- have gone back to another place, and is ignored. Without known jobs it begins at the head.
--
-- Returns the length of the list and, where the place is found, its position, the fields of the jobs as
-- rules/read-fields has them, and of these and those behind them the ids and how often each was started.
--
-- KEYS[1] the list
--
-- ARGV[1] job key prefix
-- ARGV[2] most jobs
-- ARGV[3] how many behind them to know
-- ARGV[4] first position to look for the place
-- ARGV[5] last position to look for the place
-- ARGV[6] number of known jobs
-- ARGV[7] how many of them were seen
-- ARGV[8…] each known job as its id and how often it was started, in their order; then the fields to read of each job

local rcall = redis.call
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

-- The first argument of the known jobs.
local FIRST_KNOWN = 8

local list = KEYS[1]
local prefix, most, behind, from, to = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local known, seen = tonumber(ARGV[6]), tonumber(ARGV[7])

local function startsOf(id)
  local starts = redis.pcall("HGET", prefix .. id, "ats")
  return type(starts) == "string" and starts or ""
end

local function findPlace()
  if known == 0 then return 0 end
  local positions = {}
  for index, id in ipairs(rcall("LRANGE", list, from, to)) do positions[id] = from + index - 1 end
  local function positionOf(index)
    local at = FIRST_KNOWN + 2 * (index - 1)
    local id, starts = ARGV[at], ARGV[at + 1]
    return positions[id] and startsOf(id) == starts and positions[id]
  end
  for index = seen + 1, known do
    local position = positionOf(index)
    if position then return position end
  end
  for index = seen, 1, -1 do
    local position = positionOf(index)
    if position then return position + 1 end
  end
end

local length, place = rcall("LLEN", list), findPlace()
if not place then return {length} end
local ids = rcall("LRANGE", list, place, place + most + behind - 1)
local rows, listed = readFirst(prefix, {unpack(ARGV, FIRST_KNOWN + 2 * known)}, ids, most), {}
for index = 1, math.min(#ids, #rows + behind) do
  local row = rows[index]
  listed[index] = {ids[index], type(row) == "table" and (row[1] or "") or startsOf(ids[index])}
end
return {length, place, rows, listed}
