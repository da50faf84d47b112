-- Fields that may be long.
local GROWING = {name = true, data = true, failedReason = true, [RECORDED] = true}

-- Reads some fields of the first of some jobs, at most `most` and as many as an answer may hold: each behind how often
-- it was started and when it was added, false where there is no such job, and TOO_LARGE in the place of one that is to
-- be read apart. Of the attempts on record the last one will do.
local function readFirst(prefix, names, ids, most)
  local fields, growing, recorded = {"ats", "timestamp"}, {}, nil
  for _, name in ipairs(names) do
    fields[#fields + 1] = name
    if name == RECORDED then recorded = #fields end
    if GROWING[name] then growing[#growing + 1] = name end
  end
  local room = LARGEST_PIECE

  local function readFields(id)
    local job, size = prefix .. id, 0
    for _, field in ipairs(growing) do
      local length = redis.pcall("HSTRLEN", job, field)
      if type(length) ~= "number" then return false end
      size = size + length
    end
    if size > room then return TOO_LARGE end
    room = room - size
    local values = redis.pcall("HMGET", job, unpack(fields))
    if values.err or not values[2] then return false end
    if recorded and values[recorded] then values[recorded] = string.match(values[recorded], "[^\n]*$") end
    return values
  end

  local rows = {}
  for index = 1, math.min(#ids, most) do
    local row = readFields(ids[index])
    if row == TOO_LARGE and index > 1 then break end
    rows[index] = row
    if row == TOO_LARGE then break end
  end
  return rows
end
