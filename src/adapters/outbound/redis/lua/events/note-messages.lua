-- Counts messages of a hook that were added, or wait again, among those that wait; the oldest that are too many fail.
--
-- hooks: the hooks to tell, as JSON; empty for none
-- behind: how many messages that were added with these come behind them
-- REST: ids of the messages
--- @include "events/unsent"

local failing = hooks ~= "" and cjson.decode(hooks).failing or {}
local ids = {}
for index = REST, #ARGV do
  local isThere = rcall("EXISTS", prefix .. ARGV[index]) == 1
  if isThere and rcall("HEXISTS", prefix .. ARGV[index], "finishedOn") == 0 then ids[#ids + 1] = ARGV[index] end
end
local root = string.sub(prefix, 1, -#(OF_HOOK .. hook .. ":") - 1)
unsentOf(root, now, failing).note(hook, ids, (tonumber(rcall("GET", counter)) or 0) - behind)
