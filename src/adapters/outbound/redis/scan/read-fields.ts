import { LARGEST_PIECE } from '../layout/largest-piece.ts';
import { RECORDED } from '../layout/attempt-lines.ts';

/** What a script answers for a job that is to be read apart. It is the only one of its answer. */
export const TOO_LARGE = 1;

/**
 * Lua: a function that reads some fields of the first of some jobs, as many as an answer may hold: each behind how
 * often it was started and when it was added, false where there is no such job. It expects `prefix`, and
 * `firstField`, the number of the first field among the ARGV.
 */
export const READ_FIELDS = `
local RECORDED = "${RECORDED}"
local GROWING = {name = true, data = true, failedReason = true, [RECORDED] = true}
local fields, growing, recorded = {"ats", "timestamp"}, {}, nil
for index = firstField, #ARGV do
  fields[#fields + 1] = ARGV[index]
  if ARGV[index] == RECORDED then recorded = #fields end
  if GROWING[ARGV[index]] then growing[#growing + 1] = ARGV[index] end
end
local room = ${LARGEST_PIECE}

local function readFields(id)
  local job, size = prefix .. id, 0
  for _, field in ipairs(growing) do
    local length = redis.pcall("HSTRLEN", job, field)
    if type(length) ~= "number" then return false end
    size = size + length
  end
  if size > room then return ${TOO_LARGE} end
  room = room - size
  local values = redis.pcall("HMGET", job, unpack(fields))
  if values.err or not values[2] then return false end
  -- Of the attempts on record the last one will do.
  if recorded and values[recorded] then values[recorded] = string.match(values[recorded], "[^\\n]*$") end
  return values
end

local function readFirst(ids, most)
  local rows = {}
  for index = 1, math.min(#ids, most) do
    local row = readFields(ids[index])
    if row == ${TOO_LARGE} and index > 1 then break end
    rows[index] = row
    if row == ${TOO_LARGE} then break end
  end
  return rows
end
`;
