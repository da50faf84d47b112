-- Returns what the server that holds the queues says of itself, or nothing where it does not.
--
-- KEYS[1] registry of queues, for its slot
-- KEYS[2] queues with calls that are held back

local answers = {}
for _, section in ipairs({"server", "memory", "persistence"}) do
  local answer = redis.pcall("INFO", section)
  answers[#answers + 1] = type(answer) == "string" and answer or ""
end
answers[#answers + 1] = "queues_held_back:" .. rcall("SCARD", KEYS[2])
return table.concat(answers, "\n")
