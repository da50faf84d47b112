-- How many jobs may start by the concurrency, of the worker and of the queue.
local function freeCalls(queue, claimant, gate, batch)
  local most = math.min(claimant.concurrency, queue.concurrency)
  if most == math.huge then return most end
  local free = most - rcall("LLEN", queue.active) - (gate and gate.endingCalls() or 0)
  if not batch then return free end
  -- A call with several jobs is one for the concurrency.
  return (free > 0 or batch.callsBeside() < most) and math.huge or 0
end
