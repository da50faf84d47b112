--- @include "rules/running-calls"

-- How claims fill one call with several jobs, as domain/attempts/batch has it.
--
-- batch: id (the beginning of the tokens), by ("queue", "group" or "name") and, once the call has a job, kin: what its
-- jobs have in common (half, group, name).
local function batchOf(queue, batch)
  local prefix, self = queue.prefix, {}

  -- How many calls run besides this one: what runs is all that is counted.
  function self.callsBeside()
    return runningCalls(prefix, queue.active, queue.hasGate, batch.id)
  end

  -- The turn of the group that is next for the call.
  function self.turn(turns)
    if batch.by == "group" and batch.kin then return turns.of(batch.kin.group or "") end
    return turns.next()
  end

  -- Whether the next job may join the call.
  function self.admits(id)
    local kin = batch.kin
    if not kin then return true end
    local job = redis.pcall("HMGET", prefix .. id, HALF, "name")
    if job["err"] or (job[1] or nil) ~= kin.half then return false end
    return batch.by ~= "name" or job[2] == kin.name
  end

  -- The job starts with the call. The record is that of HGETALL.
  function self.joined(record, turn)
    if batch.kin then return end
    batch.kin = {group = turn and turn.group}
    for field = 1, #record, 2 do
      if record[field] == "name" then batch.kin.name = record[field + 1]
      elseif record[field] == HALF then batch.kin.half = record[field + 1] end
    end
  end

  return self
end
