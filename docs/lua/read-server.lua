-- Returns what the server that holds the queues says of itself, or nothing where it does not.
--
-- KEYS[1] registry of queues, for its slot

local rcall = redis.call

local answers = {}
for _, section in ipairs({"server", "memory", "persistence"}) do
  local answer = redis.pcall("INFO", section)
  answers[#answers + 1] = type(answer) == "string" and answer or ""
end
return table.concat(answers, "\n")
