-- Creates a queue unless it is there.
--
-- KEYS[1] meta
-- KEYS[2] registry of queues
--- @include "rules/create-queue"

local meta, registry = KEYS[1], KEYS[2]
createQueue(registry, meta)
