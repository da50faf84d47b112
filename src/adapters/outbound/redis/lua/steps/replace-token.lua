-- Stores a token in place of what it was, or removes it. Returns 1, or 0 when it is something else by now.
--
-- KEYS[1] tokens
-- KEYS[2] their uses
--
-- ARGV[1] id
-- ARGV[2] what it was as JSON; empty for nothing, * for anything
-- ARGV[3] what it becomes as JSON; empty for nothing

local tokens, uses = KEYS[1], KEYS[2]
local id, before, after = ARGV[1], ARGV[2], ARGV[3]
local current = rcall("HGET", tokens, id)
if before == "*" then
  if not current then return 0 end
elseif (current or "") ~= before then
  return 0
end
if after == "" then
  rcall("HDEL", tokens, id)
  rcall("HDEL", uses, id)
else
  rcall("HSET", tokens, id, after)
end
-- No token has an empty id: this field counts the changes.
rcall("HINCRBY", tokens, "", 1)
return 1
