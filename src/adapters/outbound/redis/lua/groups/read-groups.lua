-- In TypeScript: domain/transitions/groups/standings
-- Looks at some groups of a queue. Returns how many jobs started within the window of shares, and for each group its
-- id, how many of its jobs wait and run, since when the first that waits could start (0 when none does), how many of
-- its jobs started, 1 if it is paused, until when it is held (0 when it is not), why no job of it starts, until when
-- and because of which job (0 and empty texts), its settings, who paused it, and who holds it, each of these as JSON or
-- an empty text.
--
-- defaults: what holds for groups without settings, as JSON; empty when nothing does
-- minutes: how many minutes shares are made of
-- REST: the groups
--- @include "groups/group-jobs"
--- @include "groups/group-terms"
--- @include "limits/limit-keys"
--- @include "limits/limit-window"
--- @include "reading/waiting-since"

local names = {unpack(ARGV, REST)}
local terms = groupTerms(prefix, defaults)
local isGrouped = rcall("HEXISTS", meta, GROUPED) == 1
local waitingOf, firstOf = waitingInGroups(prefix)

local total, starts = 0, {}
local minute = math.floor(storeTime() / 60000)
for at = minute - minutes + 1, minute do
  local shares = prefix .. GROUP_SHARES .. string.format("%.0f", at)
  total = total + (tonumber(rcall("HGET", shares, OF_ALL_GROUPS) or "") or 0)
  for index, count in ipairs(rcall("HMGET", shares, unpack(names))) do
    starts[index] = (starts[index] or 0) + (tonumber(count or "") or 0)
  end
end

-- Who stopped a group, as JSON; nothing where that is not known.
local function stopOf(key, field)
  local stop = rcall("HGET", prefix .. key, field)
  return stop and stop ~= "1" and stop
end

-- Why the limit of its flow control key lets no job of a group start, and until when where that is known.
local function fullFlow(group, own)
  local root, name, now = limitRoot(prefix), own.hasFlows and group ~= QUEUE_GROUP and flowLimitOf(group), storeTime()
  local settings = name and limitSettings(root, name)
  if not settings then return nil end
  local most, rate = settings.concurrency or math.huge, settings.limiter
  if rcall("ZCARD", root .. LIMIT_CALLS .. name) >= most then return "concurrency" end
  local rest = rate and untilStartIn(root .. LIMIT_STARTS .. name, rate, now, 1) or 0
  if rest > 0 then return "limiter", math.ceil(now + rest) end
end

local groups = {}
for index, group in ipairs(names) do
  local count = (group ~= "" or isGrouped) and waitingOf(group) or 0
  local first = count > 0 and firstOf(group)
  local isPaused, heldUntil = terms.isPaused(group), terms.heldUntil(group)
  local reason, till, job
  local own = group ~= "" and terms.of(group)
  if count > 0 and own then reason, till, job = terms.blockedBy(group, own, first) end
  if count > 0 and own and not reason then reason, till = fullFlow(group, own) end
  groups[index] = {group, count, isGrouped and terms.active(group) or 0,
    first and string.format("%.0f", startableAt(prefix .. first) or 0) or "0", starts[index] or 0, isPaused and 1 or 0,
    heldUntil and string.format("%.0f", heldUntil) or "0", reason or "", till and string.format("%.0f", till) or "0",
    job or "", group ~= "" and rcall("HGET", prefix .. GROUP_SETTINGS, group) or "",
    isPaused and stopOf(GROUP_STATES, "p" .. group) or "", heldUntil and stopOf(GROUP_HOLDERS, group) or ""}
end
return {total, groups}
