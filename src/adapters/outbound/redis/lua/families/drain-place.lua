-- In TypeScript: domain/transitions/drain
-- Removes some of the jobs of one list or sorted set of a queue: the next job of each scheduler that there is stays. As
-- in BullMQ, a parent in the same queue goes along when it waits for none that is left, and no event is written.
--
-- A list is worked off from the end where jobs are taken, and what stays goes to the other end. A sorted set is
-- worked off from its end, where the jobs that stay leave last, so their number says how many to skip.
--
-- Returns how many were removed, how many stayed, how many there were, and how many parents went along.
--
-- place: as reading/places names it
-- passed: how many stayed at the end of the set
-- most: most jobs to look at
--- @include "bullmq/removeJob"
--- @include "groups/group-places"
--- @include "adds/next-of-scheduler"
--- @include "reading/places"
--- @include "attempts/waits"

-- What a job has beside its hash.
local PARTS = {":logs", ":dependencies", ":processed", ":failed", ":unsuccessful", ":lock", STEP_VALUES}

local key, isList, size = prefix .. place, IS_LIST[place], sizeOf(prefix, place)
callersTime = now

local function bytesOf(id)
  local bytes = 0
  for _, field in ipairs({"data", "returnvalue"}) do
    local length = redis.pcall("HSTRLEN", prefix .. id, field)
    if type(length) == "number" then bytes = bytes + length end
  end
  return bytes
end

local ids = isList and idsOf(prefix, place, -most, -1) or idsOf(prefix, place, passed, passed + most - 1)
local going, staying, bytes = {}, {}, 0
while #going + #staying < #ids and bytes < MOST_FREED do
  local looked = #going + #staying
  local id = isList and ids[#ids - looked] or ids[looked + 1]
  if isNextOfScheduler(prefix, id) then
    staying[#staying + 1] = id
  else
    going[#going + 1] = id
    bytes = bytes + bytesOf(id)
  end
end
if isList and #ids > 0 then
  rcall("LTRIM", key, 0, -(#going + #staying) - 1)
  for _, id in ipairs(staying) do rcall("LPUSH", key, id) end
elseif place == GROUP_WAITING then
  for _, id in ipairs(going) do groupPlaces().takeOutOfGroup(prefix, id) end
elseif #going > 0 then
  rcall("ZREM", key, unpack(going))
end

local keys, parents = {}, prefix .. "waiting-children"
local waiting = rcall("ZCARD", parents)
for _, id in ipairs(going) do
  local job = prefix .. id
  local record = redis.pcall("HMGET", job, "parentKey", "deid", SUSPENSION)
  if record[3] then forgetWaits(prefix, id, record[3]) end
  if record["err"] or (not record[1] and not record[2]) then
    keys[#keys + 1] = job
    for _, part in ipairs(PARTS) do keys[#keys + 1] = job .. part end
  else
    removeJob(id, true, prefix, true)
    keys[#keys + 1] = job .. ":lock"
  end
end
if #keys > 0 then rcall("UNLINK", unpack(keys)) end
return {#going, #staying, size, waiting - rcall("ZCARD", parents)}
