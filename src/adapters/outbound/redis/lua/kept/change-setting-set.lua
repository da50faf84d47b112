-- Changes which settings belong to a set. Returns how many settings the set has, or -1 when all sets together would
-- have too many, and nothing changed.
--
-- settings: set, space and key of each setting of all sets, in this order
-- most: how many settings all sets may have
-- removals: how many settings are removed. Their keys are the first of the rest; keys to add follow

local gone, new, added = {}, {}, {}
for place = REST + removals, #ARGV do
  local member = set .. " " .. ARGV[place]
  if not added[member] then
    added[member] = true
    if not rcall("ZSCORE", settings, member) then new[#new + 1] = member end
  end
end
for place = REST, REST + removals - 1 do
  local member = set .. " " .. ARGV[place]
  if not added[member] and rcall("ZSCORE", settings, member) then gone[member] = true end
end
local fewer = 0
for _ in pairs(gone) do fewer = fewer + 1 end
if #new > fewer and rcall("ZCARD", settings) + #new - fewer > most then return -1 end
for member in pairs(gone) do rcall("ZREM", settings, member) end
for _, member in ipairs(new) do rcall("ZADD", settings, 0, member) end
return rcall("ZLEXCOUNT", settings, "[" .. set .. " ", "(" .. set .. "!")
