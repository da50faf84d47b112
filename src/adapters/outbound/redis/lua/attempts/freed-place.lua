-- A job leaves the queue, so that the next one may start in its place.
local function freePlaceOf(queue)
  rcall("ZADD", queue.marker, 0, "0")
  if rcall("EXISTS", queue.wait, queue.active, queue.prioritized, queue.prefix .. GROUP_WAITING) == 0 then
    rcall("XADD", queue.events, "*", "event", "drained")
  end
end
