-- Resumes a queue, and wakes an idle client: each that takes a job wakes another. It changes nothing and writes no
-- event when the queue is not paused. Jobs that BullMQ 5 put aside when it paused the queue go back, some thousand in
-- one run:
-- it returns how many are left.
--
-- KEYS[1] wait
-- KEYS[2] paused
-- KEYS[3] meta
-- KEYS[4] prioritized
-- KEYS[5] events
-- KEYS[6] delayed
-- KEYS[7] marker
--
-- ARGV[1] 1 to write the event
--- @include "bullmq/addDelayMarkerIfNeeded"

-- Jobs that go back in one run.
local MOST = 7000

local wait, aside, meta, prioritized = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local events, delayed, marker = KEYS[5], KEYS[6], KEYS[7]
local isAnyAside = rcall("EXISTS", aside) == 1
if rcall("HDEL", meta, "paused") == 0 and not isAnyAside then return 0 end
if isAnyAside and rcall("EXISTS", wait) == 0 then
  rcall("RENAME", aside, wait)
elseif isAnyAside then
  local ids = rcall("LRANGE", aside, 0, MOST - 1)
  rcall("RPUSH", wait, unpack(ids))
  rcall("LTRIM", aside, #ids, -1)
end
if rcall("EXISTS", wait, prioritized) > 0 then
  rcall("ZADD", marker, 0, "0")
else
  addDelayMarkerIfNeeded(marker, delayed)
end
if ARGV[1] == "1" then rcall("XADD", events, "*", "event", "resumed") end
return rcall("LLEN", aside)
