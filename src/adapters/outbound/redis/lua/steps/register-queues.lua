-- Lists queues in the registry that other clients created.
--
-- KEYS[1] registry of queues
--
-- ARGV[1] what stands before a queue's name in its keys
-- ARGV[2…] names of queues
--- @include "rules/create-queue"

local registry = KEYS[1]
for index = 2, #ARGV do
  local meta = ARGV[1] .. ARGV[index] .. ":meta"
  if rcall("TYPE", meta).ok == "hash" then
    registerQueue(registry, meta)
    rcall("ZADD", registry, 0, ARGV[index])
  end
end
