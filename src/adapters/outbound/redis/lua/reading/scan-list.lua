-- Returns the next jobs of a list, from its head, where jobs come in. All move when one comes or goes, so the place to
-- begin is found by the jobs next to it: those that were seen, and those that were not. One that was started since may
-- have gone back to another place, and is ignored. Without known jobs it begins at the head.
--
-- Returns the length of the list and, where the place is found, its position, the jobs as reading/rows has them, and of
-- these and those behind them the ids and how often each was started.
--
-- behind: how many behind them to know
-- from: first position to look for the place
-- to: last position to look for the place
-- known: number of known jobs
-- seen: how many of them were seen
-- REST: each known job as its id and how often it was started, in their order; then the fields to read of each job
--- @include "reading/rows"

local function startsOf(id)
  local starts = redis.pcall("HGET", prefix .. id, "ats")
  return type(starts) == "string" and starts or ""
end

local function findPlace()
  if known == 0 then return 0 end
  local positions = {}
  for index, id in ipairs(rcall("LRANGE", list, from, to)) do positions[id] = from + index - 1 end
  local function positionOf(index)
    local at = REST + 2 * (index - 1)
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
local ids, names = rcall("LRANGE", list, place, place + MOST_JOBS + behind - 1), {unpack(ARGV, REST + 2 * known)}
names[#names + 1] = "ats"
local rows, listed = rowsOf(prefix, ids, names), {}
for index = 1, math.min(#ids, #rows + behind) do
  local values = rows[index] and rows[index][2]
  listed[index] = {ids[index], type(values) == "table" and (values[#names] or "") or startsOf(ids[index])}
end
return {length, place, rows, listed}
