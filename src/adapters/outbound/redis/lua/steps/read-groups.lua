-- Looks at groups of a queue that have jobs that have not ended, or settings, or are paused or held. Returns how many jobs
-- started within the window of shares, and for each group its id, how many of its jobs wait, run and are delayed, since
-- when the first that waits could start (0 when none does), how many of its jobs started, 1 if it is paused, until when it
-- is held (0 when it is not), why no job of it starts, until when and because of which job (0 and empty texts), and its
-- settings as JSON, or an empty text.
--
-- KEYS[1] meta
--
-- ARGV[1] job key prefix
-- ARGV[2] what holds for groups without settings, as JSON; empty when nothing does
-- ARGV[3] the group to look at; empty for all
-- ARGV[4] most groups
-- ARGV[5] how many minutes shares are made of
--- @include "rules/group-terms"

-- Most delayed jobs that are looked at.
local MOST_DELAYED = 10000

local prefix, defaults, only, most, minutes = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local waiting = prefix .. GROUP_WAITING
local terms = groupTerms(prefix, defaults)
local names, known = {}, {}
local isGrouped = rcall("HEXISTS", KEYS[1], GROUPED) == 1

local function know(group)
  if known[group] or #names >= most or only ~= "" and group ~= only then return end
  known[group] = true
  names[#names + 1] = group
end

local delayed = {}
if isGrouped then
  for _, id in ipairs(rcall("ZRANGE", prefix .. "delayed", 0, MOST_DELAYED - 1)) do
    local group = rcall("HGET", prefix .. id, GROUP) or ""
    delayed[group] = (delayed[group] or 0) + 1
  end
  if only ~= "" then
    if rcall("ZLEXCOUNT", waiting, "[" .. only .. "\0", "[" .. only .. "\0:") > 0 or terms.running(only) > 0 then
      know(only)
    end
  else
    local member = rcall("ZRANGEBYLEX", waiting, "-", "+", "LIMIT", 0, 1)[1]
    while member and #names < most do
      local group = string.match(member, "^(.-)%z")
      know(group)
      member = rcall("ZRANGEBYLEX", waiting, "[" .. group .. "\1", "+", "LIMIT", 0, 1)[1]
    end
    local active = rcall("LRANGE", prefix .. "active", 0, -1)
    for from = 1, #active, 1000 do
      local groups = rcall("HMGET", prefix .. GROUP_RUNNING, unpack(active, from, math.min(#active, from + 999)))
      for index = 1, #groups do know(groups[index] or "") end
    end
    if rcall("EXISTS", prefix .. "wait", prefix .. "prioritized") > 0 then know("") end
  end
  for group in pairs(delayed) do know(group) end
end
for _, group in ipairs(rcall("HKEYS", prefix .. GROUP_SETTINGS)) do know(group) end
for _, field in ipairs(rcall("HKEYS", prefix .. GROUP_STATES)) do
  local group = string.sub(field, 2)
  if string.sub(field, 1, 1) == "p" or terms.isPaused(group) or terms.heldUntil(group) then know(group) end
end

local total, starts = 0, {}
local minute = math.floor(storeTime() / 60000)
for at = minute - minutes + 1, minute do
  local counted = rcall("HGETALL", prefix .. GROUP_SHARES .. string.format("%.0f", at))
  for index = 1, #counted, 2 do
    local count = tonumber(counted[index + 1])
    total = total + count
    starts[counted[index]] = (starts[counted[index]] or 0) + count
  end
end

local function waitingOf(group)
  if group == "" then return rcall("LLEN", prefix .. "wait") + rcall("ZCARD", prefix .. "prioritized") end
  return rcall("ZLEXCOUNT", waiting, "[" .. group .. "\0", "[" .. group .. "\0:")
end

local function firstOf(group)
  if group == "" then return rcall("LINDEX", prefix .. "wait", -1) or rcall("ZRANGE", prefix .. "prioritized", 0, 0)[1] end
  local member = rcall("ZRANGEBYLEX", waiting, "[" .. group .. "\0", "[" .. group .. "\0:", "LIMIT", 0, 1)[1]
  return member and idInGroup(member)
end

local function startableAt(id)
  local job = rcall("HMGET", prefix .. id, "timestamp", "opts")
  local isJson, options = pcall(cjson.decode, job[2] or "null")
  local delay = isJson and type(options) == "table" and tonumber(options.delay) or 0
  return (tonumber(job[1] or "") or 0) + delay
end

local groups = {}
for index, group in ipairs(names) do
  local count = waitingOf(group)
  local first = count > 0 and firstOf(group)
  local isPaused, heldUntil = terms.isPaused(group), terms.heldUntil(group)
  local reason, till, job
  if count > 0 and group ~= "" then reason, till, job = terms.blockedBy(group, terms.of(group)) end
  local active = terms.running(group)
  if group == "" then
    active = rcall("LLEN", prefix .. "active")
    for _, other in ipairs(rcall("HKEYS", prefix .. GROUP_RUNNING)) do
      if string.sub(other, 1, 1) ~= "!" then active = active - 1 end
    end
  end
  groups[index] = {group, count, active, delayed[group] or 0,
    first and string.format("%.0f", startableAt(first)) or "0", starts[group] or 0, isPaused and 1 or 0,
    heldUntil and string.format("%.0f", heldUntil) or "0", reason or "", till and string.format("%.0f", till) or "0",
    job or "", group ~= "" and rcall("HGET", prefix .. GROUP_SETTINGS, group) or ""}
end
return {total, groups}
