-- Saves the policy of a queue, and creates the queue unless it is there.
--
-- KEYS[1] policies
-- KEYS[2] meta
-- KEYS[3] registry of queues
--
-- ARGV[1] queue
-- ARGV[2] its policy as JSON
--- @include "rules/create-queue"

local policies, meta, registry = KEYS[1], KEYS[2], KEYS[3]
rcall("HSET", policies, ARGV[1], ARGV[2])
createQueue(registry, meta)
