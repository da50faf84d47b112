-- In TypeScript: domain/transitions/demand, domain/transitions/groups/behind-limits
--- @include "groups/group-jobs"
--- @include "groups/group-terms"
--- @include "reading/waiting-since"

-- For how many ms what looks keep of the groups of a queue is built upon. Then all of them are examined again: what
-- native clients changed meanwhile was not noted, and where nobody looks any more, nothing is to be noted.
local KEPT_FOR = 600000

-- How many of the due jobs of a queue are examined for the limits of their groups; those beyond count in full.
local MOST_DUE = 100

-- Whether limits of groups may keep jobs from starting. Among the defaults are only those that bound groups.
local function areGroupsLimited(prefix, defaults)
  return defaults ~= "" or rcall("EXISTS", prefix .. GROUP_SETTINGS, prefix .. GROUP_STATES, prefix .. GROUP_HELD) > 0
end

-- The jobs of groups that may start, as far as they are known from one look to the next (ADR 0039).
--
-- timestamp: epoch ms, by which delayed jobs are due; budget: `left`, how many groups may still be examined in this run
local function groupDemand(prefix, defaults, timestamp, budget)
  local waiting, changed, behind, again, startable = prefix .. GROUP_WAITING, prefix .. GROUP_CHANGED,
    prefix .. GROUP_BEHIND, prefix .. GROUP_AGAIN, prefix .. GROUP_STARTABLE
  local terms, self, now = groupTerms(prefix, defaults), {}, storeTime()

  local waitingOf, firstOf = waitingInGroups(prefix)

  local function keep(set, group, time)
    if time < math.huge then rcall("ZADD", set, string.format("%.0f", time), group) else rcall("ZREM", set, group) end
  end

  -- The next job of a group whose start counts.
  local function nextOf(group, own) return own.limiter and not terms.isPlain() and firstOf(group) or nil end

  local function examine(group)
    budget.left = budget.left - 1
    local count, room, till, own = waitingOf(group), math.huge, nil, nil
    if count > 0 then
      own = terms.of(group)
      room, till = terms.room(group, own, timestamp, nextOf(group, own))
    end
    local over = math.max(0, count - room)
    local before = tonumber(rcall("HGET", behind, "g" .. group) or 0)
    if over ~= before then
      rcall("HINCRBY", behind, "n", string.format("%.0f", over - before))
      if over > 0 then rcall("HSET", behind, "g" .. group, string.format("%.0f", over))
      else rcall("HDEL", behind, "g" .. group) end
    end
    keep(again, group, math.min(own and own.expires or math.huge, over > 0 and till or math.huge))
    keep(startable, group, count > over and startableAt(prefix .. firstOf(group)) or math.huge)
  end

  local function begin()
    rcall("UNLINK", behind, again, startable)
    rcall("ZADD", changed, 1, "")
    rcall("HSET", behind, "d", defaults, "c", "")
    for _, key in ipairs({changed, behind}) do rcall("PEXPIRE", key, KEPT_FOR) end
  end

  -- Goes through all groups, from where the look before has stopped.
  local function goOn(from)
    while budget.left > 0 do
      local member = rcall("ZRANGEBYLEX", waiting, from == "" and "-" or "[" .. from .. "\1", "+", "LIMIT", 0, 1)[1]
      if not member then
        rcall("HDEL", behind, "c")
        return
      end
      from = string.match(member, "^([^%z]*)%z")
      examine(from)
    end
    rcall("HSET", behind, "c", from)
  end

  -- Examines some of the groups for which that is due. Returns how many waiting jobs may not start, and since when the
  -- first of those that may could, or nothing.
  function self.look()
    if rcall("EXISTS", changed, behind) < 2 then begin()
    elseif rcall("HGET", behind, "d") ~= defaults then rcall("HSET", behind, "d", defaults, "c", "") end
    local noted = rcall("ZRANGEBYSCORE", changed, 0, 0, "LIMIT", 0, budget.left)
    if noted[1] then rcall("ZREM", changed, unpack(noted)) end
    for _, group in ipairs(noted) do examine(group) end
    if budget.left > 0 then
      for _, group in ipairs(rcall("ZRANGEBYSCORE", again, "-inf", now, "LIMIT", 0, budget.left)) do examine(group) end
    end
    local from = rcall("HGET", behind, "c")
    if from then goOn(from) end
    for _, key in ipairs({again, startable}) do rcall("PEXPIRE", key, 2 * KEPT_FOR) end
    local first = rcall("ZRANGE", startable, 0, 0, "WITHSCORES")
    return tonumber(rcall("HGET", behind, "n") or 0), tonumber(first[2])
  end

  -- How many of the due jobs may not start. They wait behind those of their groups that wait already.
  function self.dueBehind(latest)
    local due, over = {}, 0
    for _, id in ipairs(rcall("ZRANGEBYSCORE", prefix .. "delayed", "-inf", latest, "LIMIT", 0, MOST_DUE)) do
      local group = rcall("HGET", prefix .. id, GROUP)
      if group then due[group] = (due[group] or 0) + 1 end
    end
    for group, count in pairs(due) do
      local before, own = waitingOf(group), terms.of(group)
      local room = terms.room(group, own, timestamp, before > 0 and nextOf(group, own) or nil)
      over = over + math.max(0, before + count - room) - math.max(0, before - room)
    end
    return over
  end

  return self
end
