-- Stores a token in place of what it was, or removes it. Returns 1, 0 when it is something else by now, or -1 when it
-- would be one too many.
--
-- before: what it was as JSON; empty for nothing, * for anything
-- after: what it becomes as JSON; empty for nothing
-- most: how many tokens there may be

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
  -- One of the fields counts the changes.
  if not current and rcall("HLEN", tokens) - 1 >= most then return -1 end
  rcall("HSET", tokens, id, after)
end
-- No token has an empty id: this field counts the changes.
local count = rcall("HINCRBY", tokens, "", 1)
rcall("XADD", changes, "MAXLEN", "~", KNOWN_TOKEN_CHANGES, "*", "count", count, "id", id)
return 1
