-- Looks at what the demand of some queues follows from. Returns one line for each, joined, and how many more groups
-- could have been examined; none means that some are left. In a line, with spaces between: how many jobs run, wait and
-- are due, of the waiting and of the due ones how many the limits of their groups keep from starting, since when the
-- oldest other one could start, 1 if the queue is paused, 1 if it is held, since when the breaker is open, and when
-- clients last claimed jobs if it is; 0 for a time that is not there. The line is empty for a queue that is not there,
-- and for one whose keys hold something else.
--
-- most: most groups to examine
-- REST: of each queue its name, and what bounds its groups without settings, as JSON, or an empty text
--- @include "groups/group-demand"
--- @include "reading/has-jobs"
--- @include "attempts/held"
--- @include "reading/waiting-since"

local budget = {left = most}
-- Delayed jobs have a number behind their time.
local latest = string.format("%.0f", (timestamp + 1) * 0x1000 - 1)

local function line(prefix, defaults)
  local settings = rcall("HMGET", prefix .. "meta", "paused", GATED, GROUPED, LISTED)
  local oldest, over, dueOver = waitingSince(prefix), 0, 0
  local isLimited = settings[3] and areGroupsLimited(prefix, defaults)
  local active, waiting = rcall("LLEN", prefix .. "active"), oldest.ofEnds("wait")
  waiting = waiting + oldest.ofPriorities()
  local due = rcall("ZCOUNT", prefix .. "delayed", "-inf", latest)
  if due > 0 then
    local first = tonumber(rcall("ZRANGE", prefix .. "delayed", 0, 0, "WITHSCORES")[2])
    oldest.note(math.floor(first / 0x1000))
  end
  if isLimited then
    local groups = groupDemand(prefix, defaults, timestamp, budget)
    local behind, since = groups.look()
    waiting, over = waiting + rcall("ZCARD", prefix .. GROUP_WAITING), behind
    oldest.note(since)
    if due > 0 then dueOver = groups.dueBehind(latest) end
  elseif settings[3] then
    waiting = waiting + oldest.ofGroups()
  end
  if active + waiting + due == 0 and not settings[4] and not isThere(prefix) then return "" end
  local isHeld, openSince, claimedAt = false, 0, 0
  if settings[2] then
    isHeld = heldUntil(prefix) ~= nil
    openSince = tonumber(rcall("HGET", prefix .. GATE, OPEN_SINCE) or 0)
    if openSince > 0 then claimedAt = tonumber(rcall("GET", prefix .. CLAIMED) or 0) end
  end
  return string.format("%d %d %d %d %d %.0f %d %d %.0f %.0f", active, waiting, due, over, dueOver, oldest.since or 0,
    settings[1] and 1 or 0, isHeld and 1 or 0, openSince, claimedAt)
end

local lines = {}
for index = REST, #ARGV, 2 do
  local isRead, answer = pcall(line, start .. ARGV[index] .. ":", ARGV[index + 1])
  lines[#lines + 1] = isRead and answer or ""
end
return {table.concat(lines, "\n"), math.max(0, budget.left)}
