-- Remembers the latest use of each token that still exists. Tokens of the configuration, whose ids have a colon, are
-- not in the store.
--
-- The rest is for each token: its id, the time of the use, the address

for place = REST, #ARGV, 3 do
  local id, at, address = ARGV[place], ARGV[place + 1], ARGV[place + 2]
  local known = rcall("HGET", uses, id)
  local knownAt = known and tonumber(string.match(known, "^%d+")) or 0
  local exists = string.find(id, ":", 1, true) or rcall("HEXISTS", tokens, id) == 1
  if tonumber(at) > knownAt and exists then
    rcall("HSET", uses, id, at .. " " .. address)
  end
end
