-- Pauses a queue, which it creates, as all clients of BullMQ respect it: a field of the metadata keeps them from taking
-- jobs. It changes nothing and writes no event when the queue is paused.
--- @include "adds/created-queue"

if rcall("HEXISTS", meta, "paused") == 1 then return end
-- The write that takes no memory goes first, or a store whose memory is used up refuses all of them.
rcall("DEL", marker)
createQueue(registry, meta)
rcall("HSET", meta, "paused", 1)
rcall("XADD", events, "*", "event", "paused")
