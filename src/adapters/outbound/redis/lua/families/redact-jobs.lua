-- In TypeScript: domain/transitions/redact
-- Removes the values of jobs that ended, with their logs and steps, what they returned as their parents know it, and
-- what their children returned. A job that ended anew since it was read stays as it is. Returns how many it redacted.
--
-- state: state of which a mark is set, empty for none
-- REST: of each job its id, `finishedOn`, and what becomes its reason, its attempts and its options, empty for none

local function blank(hash, text)
  local cursor = "0"
  repeat
    local page = rcall("HSCAN", hash, cursor, "COUNT", AT_ONCE)
    cursor = page[1]
    for index = 1, #page[2], 2 do
      if page[2][index + 1] ~= text then rcall("HSET", hash, page[2][index], text) end
    end
  until cursor == "0"
end

local function blankAt(parent, child)
  if rcall("HEXISTS", parent .. ":processed", child) == 1 then
    rcall("HSET", parent .. ":processed", child, "null")
  end
  if rcall("HEXISTS", parent .. ":failed", child) == 1 then rcall("HSET", parent .. ":failed", child, "") end
end

local redacted = 0
for index = REST, #ARGV, 5 do
  local id, finishedOn = ARGV[index], ARGV[index + 1]
  local job = prefix .. id
  local known = redis.pcall("HMGET", job, "finishedOn", "parentKey")
  if not known.err and known[1] == finishedOn then
    rcall("HDEL", job, "returnvalue", "progress", "stacktrace", DEFERRED_FAILURE, STEPS)
    rcall("UNLINK", job .. ":logs", job .. STEP_VALUES)
    rcall("HSET", job, "data", "null")
    rcall("HSETNX", job, REDACTED, now)
    for offset, field in ipairs({"failedReason", RECORDED, "opts"}) do
      local text = ARGV[index + 1 + offset]
      if text ~= "" then rcall("HSET", job, field, text) else rcall("HDEL", job, field) end
    end
    blank(job .. ":processed", "null")
    blank(job .. ":failed", "")
    if known[2] then blankAt(known[2], job) end
    redacted = redacted + 1
  end
end
if state ~= "" and rcall("EXISTS", prefix .. "meta") == 1 then rcall("HSET", prefix .. REDACTED_UP_TO, state, mark) end
return redacted
