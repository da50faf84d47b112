-- Returns the next jobs of a sorted set, from its end: the ids each with its score, and the fields of the first as
-- rules/read-fields has them; none where no field is asked for. Where a place was is found by halving, whether its job is
-- still there or not.
--
-- KEYS[1] the set
--
-- ARGV[1] job key prefix
-- ARGV[2] most jobs
-- ARGV[3] score of the job behind which to begin, empty for the end of the set
-- ARGV[4] its id
-- ARGV[5…] fields to read of each

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

local set = KEYS[1]
local prefix, most, score, id, names = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], {unpack(ARGV, 5)}

-- As the store compares them: byte by byte.
local function isLess(one, other)
  for at = 1, math.min(#one, #other) do
    local a, b = string.byte(one, at), string.byte(other, at)
    if a ~= b then return a < b end
  end
  return #one < #other
end

local first = 0
if score then
  local last = rcall("ZCARD", set)
  while first < last do
    local middle = math.floor((first + last) / 2)
    local member = rcall("ZREVRANGE", set, middle, middle, "WITHSCORES")
    local its = tonumber(member[2])
    if its < score or (its == score and isLess(member[1], id)) then last = middle else first = middle + 1 end
  end
end

local members = rcall("ZREVRANGE", set, first, first + most - 1, "WITHSCORES")
if #names == 0 then return {members} end
local ids = {}
for index = 1, #members, 2 do ids[#ids + 1] = members[index] end
return {members, readFirst(prefix, names, ids, most)}
