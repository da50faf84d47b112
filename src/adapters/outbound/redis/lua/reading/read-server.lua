-- Returns what the server that holds the queues says of itself, or nothing where it does not.

local answers = {}
for _, section in ipairs({"server", "memory", "persistence"}) do
  local answer = redis.pcall("INFO", section)
  answers[#answers + 1] = type(answer) == "string" and answer or ""
end
answers[#answers + 1] = "queues_held_back:" .. rcall("SCARD", heldBack)
return table.concat(answers, "\n")
