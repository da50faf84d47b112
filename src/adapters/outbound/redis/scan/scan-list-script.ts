import type { Script } from '../connection/scripts.ts';
import { READ_FIELDS } from './read-fields.ts';

/**
 * The next jobs of a list, from its head, where jobs come in. All move when one comes or goes, so the place to
 * begin is found by the jobs next to it: those that were seen, and those that were not. One that was started since may
 * have gone back to another place, and is ignored.
 *
 * KEYS: the list. ARGV: job key prefix, most jobs, how many behind them to know, first and last position to look for
 * the place, the number of known jobs and how many of them were seen, each of them as its id and how often it was
 * started, in their order; then the fields to read of each. Without known jobs it begins at the head.
 *
 * Answers the length of the list and, where the place is found, its position, the fields of the jobs, and of these
 * and those behind them the ids and how often each was started.
 */
export const scanListScript: Script = {
  name: 'scanList',
  numberOfKeys: 1,
  lua: `
local list, prefix, most, behind, from, to = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local known, seen = tonumber(ARGV[6]), tonumber(ARGV[7])
local FIRST_KNOWN = 8
local firstField = FIRST_KNOWN + 2 * known
local call = redis.call
${READ_FIELDS}
local function startsOf(id)
  local starts = redis.pcall("HGET", prefix .. id, "ats")
  return type(starts) == "string" and starts or ""
end
local function findPlace()
  if known == 0 then return 0 end
  local positions = {}
  for index, id in ipairs(call("LRANGE", list, from, to)) do positions[id] = from + index - 1 end
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

local length, place = call("LLEN", list), findPlace()
if not place then return {length} end
local ids = call("LRANGE", list, place, place + most + behind - 1)
local rows, listed = readFirst(ids, most), {}
for index = 1, math.min(#ids, #rows + behind) do
  local row = rows[index]
  listed[index] = {ids[index], type(row) == "table" and (row[1] or "") or startsOf(ids[index])}
end
return {length, place, rows, listed}
`,
};
