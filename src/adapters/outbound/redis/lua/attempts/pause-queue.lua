-- Pauses a queue, which it creates, as all clients of BullMQ respect it: a field of the metadata keeps them from taking
-- jobs. It changes no more than who paused it, and writes no event, when the queue is paused.
--
-- stop: who pauses it, as JSON; empty when that is not known
--- @include "adds/created-queue"
--- @include "attempts/later-stop"

local isPaused = rcall("HEXISTS", meta, "paused") == 1
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
rcall("DEL", marker)
if isLaterStop(isPaused and rcall("HGET", meta, STOP), stop) then rcall("HSET", meta, STOP, stop)
elseif not isPaused then rcall("HDEL", meta, STOP) end
if isPaused then return end
createQueue(registry, meta)
rcall("HSET", meta, "paused", 1)
rcall("XADD", events, "*", "event", "paused")
