-- In TypeScript: domain/transitions/retain
--- @include "reading/decoded"

-- Which jobs are kept when one ends. The options of the job, as text, take precedence over its worker, as in
-- BullMQ; unreadable options have no effect.
local function retention(text, status, ofWorker)
  local name = status == "completed" and "removeOnComplete" or "removeOnFail"
  if not text or not string.find(text, name, 1, true) then
    return ofWorker
  end
  local own = decoded(text)[name]
  if type(own) == "boolean" then
    return {count = own and 0 or -1}
  elseif type(own) == "number" then
    return {count = own < 0 and math.ceil(own) or math.floor(own)}
  elseif type(own) ~= "table" then
    return ofWorker
  end
  local keep = {}
  for _, field in ipairs({"count", "age", "limit"}) do
    local value = own[field]
    if type(value) == "number" and value == value and math.abs(value) ~= math.huge then
      keep[field] = field == "age" and value or (value < 0 and math.ceil(value) or math.floor(value))
    end
  end
  return keep
end
