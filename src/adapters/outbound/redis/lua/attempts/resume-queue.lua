-- Resumes a queue, and wakes an idle client: each that takes a job wakes another. It changes nothing and writes no
-- event when the queue is not paused. Jobs that BullMQ 5 put aside when it paused the queue go back, some thousand in
-- one run:
-- it returns how many are left.
--
-- isFirst: to write the event
--- @include "bullmq/addDelayMarkerIfNeeded"

-- Jobs that go back in one run.
local MOST = 7000

rcall("HDEL", meta, STOP)
local isAnyAside = rcall("EXISTS", paused) == 1
if rcall("HDEL", meta, "paused") == 0 and not isAnyAside then return 0 end
if isAnyAside and rcall("EXISTS", wait) == 0 then
  rcall("RENAME", paused, wait)
elseif isAnyAside then
  local ids = rcall("LRANGE", paused, 0, MOST - 1)
  rcall("RPUSH", wait, unpack(ids))
  rcall("LTRIM", paused, #ids, -1)
end
if rcall("EXISTS", wait, prioritized) > 0 then
  rcall("ZADD", marker, 0, "0")
else
  addDelayMarkerIfNeeded(marker, delayed)
end
if isFirst then rcall("XADD", events, "*", "event", "resumed") end
return rcall("LLEN", paused)
