-- Lists queues in the registry that other clients created.
--
-- REST: names of queues
--- @include "adds/created-queue"

for index = REST, #ARGV do
  local meta = start .. ARGV[index] .. ":meta"
  if rcall("TYPE", meta).ok == "hash" then
    registerQueue(registry, meta)
    rcall("ZADD", registry, 0, ARGV[index])
  end
end
