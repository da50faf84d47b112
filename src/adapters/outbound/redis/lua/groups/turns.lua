-- In TypeScript: domain/transitions/groups/turns, domain/transitions/groups/next-group
--- @include "groups/group-terms"
--- @include "groups/turn-book"
--- @include "groups/native-turns"
--- @include "limits/limits"

-- Most delayed jobs that a run looks at to have those of groups wait, which are due.
local MOST_DUE = 1000

-- Most groups that a run has take turns again because their time has come.
local MOST_UNPARKED = 100

-- Most parked groups that a run frees because other terms hold.
local MOST_FREED_GROUPS = 1000

-- The score of a parked group that may take turns again: a time that has come. The score of one that waits is later.
local FREED = 1

-- Most groups that a run passes over because none of their jobs may start. Beyond it, the claimant is woken to ask
-- again.
local MOST_PASSED = 1000

-- Whose turn it is among the groups of a queue: start-time fair queuing, as domain/attempts/turns has it. A group of
-- which no job may start is parked when its turn comes, and costs nothing from then on.
--
-- defaults: what holds for groups without settings, as JSON, or nothing; ahead: how many groups are read at first;
-- keptAs: the field of the metadata that keeps the defaults
local function turnsOf(queue, defaults, ahead, keptAs)
  local prefix, places = queue.prefix, groupPlaces()
  local parked, turns = prefix .. GROUP_PARKED, prefix .. GROUP_TURNS
  local book = turnBookOf(prefix, ahead)
  local terms = groupTerms(prefix, defaults, book.writeRunning)
  local due = (queue.timestamp + 1) * 0x1000 - 1
  local self, passed = {}, 0

  local function moveDueJobs()
    local found = rcall("ZRANGEBYSCORE", queue.delayed, 0, due, "WITHSCORES", "LIMIT", 0, MOST_DUE)
    for at = 1, #found, 2 do
      local id = found[at]
      local record = rcall("HMGET", prefix .. id, GROUP, "priority")
      if record[1] then
        rcall("ZREM", queue.delayed, id)
        rcall("HSET", prefix .. id, "delay", 0)
        if rcall("HGET", prefix .. GROUP_BLOCKS, "h" .. record[1]) == id then
          places.waitAgainInGroup(prefix, record[1], id)
        else
          places.waitWhenDue(prefix, record[1], id, tonumber(record[2] or "") or 0, tonumber(found[at + 1]))
        end
        places.unpark(prefix, record[1])
        rcall("XADD", queue.events, "*", "event", "waiting", "jobId", id, "prev", "delayed", "group", record[1])
      else
        places.beReady(prefix, "")
      end
    end
  end

  -- Why no job of the group starts whose turn it is, and until when where that is known; or nothing. At the limit of
  -- its flow control key the queue waits, which is woken for it.
  local function blockedIn(turn, own)
    local id = idInGroup(turn.job)
    local reason, till = terms.blockedBy(turn.group, own, id)
    turn.flow = own.hasFlows and turn.group ~= QUEUE_GROUP and limitRules().flow(prefix, turn.group, id)
    if not turn.flow then return reason, till end
    local now = storeTime()
    local rest = not reason and turn.flow.rest(terms.costOf(id), now)
    if rest then return "limiter", math.ceil(now + rest) end
    if reason then turn.flow.stopWaiting(now) end
    return reason, till
  end

  -- Whether a job without a group may start.
  local function hasUngrouped()
    return rcall("EXISTS", queue.wait, queue.prioritized) > 0 or
      #rcall("ZRANGEBYSCORE", queue.delayed, 0, due, "LIMIT", 0, 1) > 0
  end

  -- The turn of the group whose job is next: its id, virtual time and, unless it is that of the jobs without a group,
  -- the job and whether it is the last one that waits. Nothing when no job may start, or when the run has passed over
  -- too many groups, which sets `mayHaveMore`.
  function self.next()
    while true do
      if passed == MOST_PASSED then
        self.mayHaveMore = true
        return nil
      end
      local turn = book.first()
      if not turn then return nil end
      if turn.group == "" then
        if hasUngrouped() then
          turn.weight = 1
          return turn
        end
        book.rest(turn)
      else
        turn.job, turn.isLast = book.headOf(turn.group)
        if not turn.job then
          book.rest(turn)
          passed = passed + 1
        else
          local own = terms.of(turn.group)
          local reason, till = blockedIn(turn, own)
          if not reason then
            turn.weight, turn.limiter = own.weight, own.limiter
            return turn
          end
          local earliest = math.min(till or math.huge, own.expires or math.huge)
          if reason == "concurrency" then earliest = math.min(earliest, terms.callEndsAt(turn.group)) end
          book.park(turn, earliest)
          passed = passed + 1
        end
      end
    end
  end

  -- A turn of one group, out of turn: its job joins a call that had one of the group when it was its turn. Nothing when
  -- none of its jobs may start.
  function self.of(group)
    local turn = book.of(group)
    if not turn then return nil end
    if group == "" then
      turn.weight = 1
      return hasUngrouped() and turn or nil
    end
    turn.job, turn.isLast = book.headOf(group)
    local own = turn.job and terms.of(group)
    if not own or blockedIn(turn, own) then return nil end
    turn.weight, turn.limiter = own.weight, own.limiter
    return turn
  end

  -- Makes the job of a turn active, once the book is written. Returns its id.
  self.take = book.take

  -- Makes the jobs active that were taken. To be called before active jobs are read or changed.
  self.writeTaken = book.writeTaken

  -- The limiter of a group counts the start of its job. Answers what the job's field COUNTED keeps: as it is for the
  -- queue, or a start alone.
  function self.noteStart(turn, now, cost, counted)
    noteStartIn(groupStarts(prefix, turn.group), windowOf(turn.limiter), now, cost, terms.isPlain())
    return counted or startText(now, cost)
  end

  -- The job of a turn starts.
  function self.started(turn, id, cost)
    book.start(turn, id, turn.time + cost / turn.weight)
    if turn.group ~= "" then terms.noteStart(turn.group) end
  end

  -- Writes what changed. To be called at the end of a run.
  self.write = book.write

  -- Other terms may free any group: the time of those whose time is next has come, and the next runs go on until none
  -- is left. They have fewer groups take turns again than they free, so this ends although some are parked anew.
  local function freeParked()
    local scores = {}
    local found = rcall("ZRANGEBYSCORE", parked, "(" .. FREED, "+inf", "LIMIT", 0, MOST_FREED_GROUPS)
    for at, group in ipairs(found) do scores[2 * at - 1], scores[2 * at] = FREED, group end
    if scores[1] then rcall("ZADD", parked, unpack(scores)) end
    if #found == MOST_FREED_GROUPS then rcall("HSET", turns, "f", 1) else rcall("HDEL", turns, "f") end
  end

  -- When the next group may start a job again (epoch ms), or nothing.
  function self.nextAt()
    local first = rcall("ZRANGE", parked, 0, 0, "WITHSCORES")
    local at = first[2] and tonumber(first[2])
    return at and at < math.huge and at or nil
  end

  local known = rcall("HMGET", turns, "n", "m", "w", "f")
  takePartInTurns(queue, self, terms, {id = known[1], member = known[2], seenAt = known[3]})
  local areSame = (defaults or "") == (rcall("HGET", queue.meta, keptAs) or "")
  if not areSame then rcall("HSET", queue.meta, keptAs, defaults or "") end
  if not areSame or known[4] then freeParked() end
  moveDueJobs()
  for _, group in ipairs(rcall("ZRANGEBYSCORE", parked, "-inf", storeTime(), "LIMIT", 0, MOST_UNPARKED)) do
    places.unpark(prefix, group)
  end
  if hasUngrouped() then places.beReady(prefix, "") end
  return self
end
