-- In TypeScript: domain/transitions/add-once
-- Expired adds that one run removes: more than one, so that their number decreases.
local MOST_EXPIRED = 10

-- Remembers an add under its record with the number of its first job (text) and the jobs that existed: of each the
-- position of the job that it stands for, its id, and 1 when it stands for a deduplication id, else 0. Forgets the
-- oldest adds. The script has checked everything that could fail: the record is a string or does not exist, and the
-- adds are a list or do not exist.
local function remember(record, records, body, defaults, timestamp, first, existing)
  local text = timestamp .. ":" .. cjson.encode({body, first, existing, defaults})
  rcall("SET", record, text, "PX", REMEMBERED_FOR)
  local entry = timestamp .. ":" .. string.sub(record, #records + 2)
  for _ = 1, math.ceil(#text / REMEMBERED_PIECE) do rcall("RPUSH", records, entry) end
  rcall("PEXPIRE", records, REMEMBERED_FOR)

  local excess = rcall("LLEN", records) - MOST_REMEMBERED
  local old = rcall("LRANGE", records, 0, math.max(excess, MOST_EXPIRED) - 1)
  local gone = 0
  for index, each in ipairs(old) do
    local time, key = string.match(each, "^(%d+):(.*)$")
    if index > excess and tonumber(time) + REMEMBERED_FOR > tonumber(timestamp) then break end
    -- A key that was forgotten may have been given to a later add, which is not meant.
    local other = records .. "-" .. key
    if rcall("GETRANGE", other, 0, #time) == time .. ":" then rcall("UNLINK", other) end
    gone = index
  end
  if gone > 0 then rcall("LTRIM", records, gone, -1) end
end
