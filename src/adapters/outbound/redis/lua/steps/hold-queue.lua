-- Holds a queue, which it creates. Returns until when (epoch ms) it is held.
--
-- KEYS[1] meta
-- KEYS[2] registry
--
-- ARGV[1] the prefix of the queue's keys
-- ARGV[2] for how many ms

--- @include "rules/create-queue"
--- @include "rules/hold"

local meta, registry = KEYS[1], KEYS[2]
local till = hold(ARGV[1], tonumber(ARGV[2]), "caller")
createQueue(registry, meta)
return till
