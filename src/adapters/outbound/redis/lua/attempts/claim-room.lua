-- How many jobs the claims of a run may start, as far as the concurrency goes.
--
-- gate: as attempts/claim-gate has it, or nothing; batch: as attempts/batch has it, or nothing
local function roomOf(queue, claimant, gate, batch)
  local most = math.min(claimant.concurrency, queue.concurrency)
  if most == math.huge then return most end
  local room = most - rcall("LLEN", queue.active) - (gate and gate.endingCalls() or 0)
  -- A call with several jobs is one for the concurrency.
  if batch then return (room > 0 or batch.callsBeside() < most) and math.huge or 0 end
  return room
end

-- Whether a delayed job is due.
local function isAnyDue(queue)
  local earliest = tonumber(rcall("ZRANGE", queue.delayed, 0, 0, "WITHSCORES")[2])
  return earliest and earliest < (queue.timestamp + 1) * 0x1000
end
