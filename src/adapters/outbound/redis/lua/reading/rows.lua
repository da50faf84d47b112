--- @include "reading/job-state"
--- @include "reading/without-record"

-- Fields that may be long, and those by which the size of a whole job is known.
local GROWING = {name = true, data = true, opts = true, progress = true, returnvalue = true, failedReason = true,
  stacktrace = true, parent = true, [RECORDED] = true}
local GROWING_OF_ALL = {"data", "returnvalue", "progress", "failedReason", "stacktrace"}

-- Longest beginning of a reason, in bytes: 200 characters of four bytes, and the first of another one.
local LONGEST_REASON = 801

-- What is read otherwise than as it is stored, by the names that callers have for it.
local DERIVED = {
  [DATA_SIZE] = function(job) return rcall("HSTRLEN", job, "data") end,
  [DELAY_SCORE] = function(_, prefix, id) return rcall("ZSCORE", prefix .. "delayed", id) end,
  [SHORT_REASON] = function(job)
    local reason = rcall("HGET", job, "failedReason")
    return reason and string.sub(reason, 1, LONGEST_REASON)
  end,
  -- Of the last attempt its number, start, duration, outcome and status: the rest may be long.
  [RECORDED] = function(_, _, _, recorded)
    return recorded and string.match(string.match(recorded, "[^\n]*$"), '^%[%d+,%d+,%d+,"%a",[^,%]]+') or false
  end,
}

-- Reads the first of some jobs: as many as an answer may hold, one at least. Returns of each its state, where `stateOf`
-- tells it, and the values of the named fields, or without names all fields and values in turn; TOO_LARGE in the place
-- of the values where the first of them is to be read apart; and false where there is no such job.
--
-- longest: the most bytes of a value, in the place of which its length comes otherwise, or nothing
local function rowsOf(prefix, ids, names, longest, stateOf)
  local isWhole, growing, room, rows = #names == 0, {}, LARGEST_PIECE, {}
  longest = longest or math.huge
  for _, name in ipairs(isWhole and GROWING_OF_ALL or names) do
    if GROWING[name] then growing[#growing + 1] = name end
  end

  local function valuesOf(job, id, long)
    if isWhole then return withoutRecord(rcall("HGETALL", job)) end
    local short = {}
    -- No job has a field without a name.
    for index, name in ipairs(names) do short[index] = long[name] and "" or name end
    local values = rcall("HMGET", job, unpack(short))
    for index, name in ipairs(names) do
      if DERIVED[name] then values[index] = DERIVED[name](job, prefix, id, values[index])
      else values[index] = long[name] or values[index] end
    end
    return values
  end

  local function read(id)
    local job, size, long, state = prefix .. id, 0, {}, false
    local known = redis.pcall("HMGET", job, "timestamp", "processedOn", "finishedOn")
    if known.err or not (known[1] or isWhole) then return false end
    if stateOf then
      state = stateOf(id, known[2], known[3])
      if not state then return false end
    end
    for _, field in ipairs(growing) do
      local length = rcall("HSTRLEN", job, field)
      if length > longest then long[field] = length else size = size + length end
    end
    if size > room then return {state, TOO_LARGE} end
    room = room - size
    return {state, valuesOf(job, id, long)}
  end

  for index = 1, math.min(#ids, MOST_JOBS) do
    local row = read(ids[index])
    local isLarge = row and row[2] == TOO_LARGE
    if isLarge and index > 1 then break end
    rows[index] = row
    if isLarge then break end
  end
  return rows
end
