-- In TypeScript: domain/transitions/next-job
--- @include "attempts/destination"
--- @include "attempts/running-calls"

-- How claims fill one call with several jobs, as domain/attempts/batch has it.
--
-- batch: id (the beginning of the tokens), by ("queue", "group" or "name") and, once the call has a job, kin: what its
-- jobs have in common (half, group, name), or that its one job goes alone.
local function batchOf(queue, batch)
  local prefix, self, behind, taken = queue.prefix, {}, nil, 0

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
    if kin.alone then return false end
    local job = redis.pcall("HMGET", prefix .. id, HALF, "name", "opts")
    if job["err"] or (job[1] or nil) ~= kin.half or hasDestination(job[3]) then return false end
    return batch.by ~= "name" or job[2] == kin.name
  end

  -- Where calls are by name, takes the next job that may join the call from behind others. Returns its id, if there is
  -- one.
  function self.takeFromBehind()
    if batch.by ~= "name" then return nil end
    if not behind then
      local ids = rcall("LRANGE", queue.wait, -MOST_LOOKED_AT, -1)
      behind = {}
      for at = #ids, 1, -1 do behind[#behind + 1] = self.admits(ids[at]) and ids[at] or nil end
      for _, id in ipairs(rcall("ZRANGE", queue.prioritized, 0, MOST_LOOKED_AT - #ids - 1)) do
        behind[#behind + 1] = self.admits(id) and id or nil
      end
    end
    taken = taken + 1
    local id = behind[taken]
    if not id then return nil end
    if rcall("LREM", queue.wait, -1, id) == 0 then rcall("ZREM", queue.prioritized, id) end
    rcall("LPUSH", queue.active, id)
    return id
  end

  -- The job starts with the call. The record is that of HGETALL.
  function self.joined(record, turn)
    if batch.kin then return end
    batch.kin = {group = turn and turn.group}
    for field = 1, #record, 2 do
      if record[field] == "name" then batch.kin.name = record[field + 1]
      elseif record[field] == HALF then batch.kin.half = record[field + 1]
      elseif record[field] == "opts" then batch.kin.alone = hasDestination(record[field + 1]) end
    end
  end

  return self
end
