-- Counts messages of a hook that were added, or wait again, among those that wait; the oldest that are too many fail.
--
-- KEYS[1] counter of ids of the queue of the hook
--
-- ARGV[1] hook
-- ARGV[2] now
-- ARGV[3] the hooks to tell, as JSON; empty for none
-- ARGV[4] how many messages that were added with these come behind them
-- ARGV[5…] ids of the messages
--- @include "rules/unsent"

local prefix, hook, now = string.sub(KEYS[1], 1, -#"id" - 1), ARGV[1], ARGV[2]
local failing = ARGV[3] ~= "" and cjson.decode(ARGV[3]).failing or {}
local ids = {}
for index = 5, #ARGV do
  local isThere = rcall("EXISTS", prefix .. ARGV[index]) == 1
  if isThere and rcall("HEXISTS", prefix .. ARGV[index], "finishedOn") == 0 then ids[#ids + 1] = ARGV[index] end
end
local root = string.sub(prefix, 1, -#(OF_HOOK .. hook .. ":") - 1)
unsentOf(root, now, failing).note(hook, ids, (tonumber(rcall("GET", KEYS[1])) or 0) - ARGV[4])
