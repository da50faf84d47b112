-- Suspects the active jobs without a lock, whose number has no bound. Returns whether there are any.
local function suspectWithoutLock(stalled, active, prefix)
  local ids, hasAny = rcall("LRANGE", active, 0, -1), false
  for from = 1, #ids, AT_ONCE do
    local locks = {}
    for index = from, math.min(from + AT_ONCE - 1, #ids) do
      locks[#locks + 1] = prefix .. ids[index] .. ":lock"
    end
    if rcall("EXISTS", unpack(locks)) < #locks then
      for index, lock in ipairs(locks) do
        if rcall("EXISTS", lock) == 0 then
          rcall("SADD", stalled, ids[from + index - 1])
          hasAny = true
        end
      end
    end
  end
  return hasAny
end

-- Puts the marker back that wakes a replica for jobs. A woken replica takes the marker, and may die before it claims
-- the job. BullMQ's workers therefore claim every few seconds; with this, idle ones here need not.
local function wakeForMissedJobs(prefix)
  local marker, active = prefix .. "marker", prefix .. "active"
  if isQueuePausedOrMaxed(prefix .. "meta", active) then return end
  if rcall("EXISTS", prefix .. "wait", prefix .. "prioritized", prefix .. GROUP_READY) > 0 then
    addBaseMarkerIfNeeded(marker, false)
    return
  end
  local earliest = rcall("ZRANGE", prefix .. "delayed", 0, 0, "WITHSCORES")
  if earliest[2] then rcall("ZADD", marker, tonumber(earliest[2]) / 0x1000, "1") end
end
