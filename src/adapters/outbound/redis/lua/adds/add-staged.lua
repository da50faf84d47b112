-- In TypeScript: domain/transitions/add-flow
-- Makes the jobs of a large add or flow visible, which other runs have staged (adds/stage-jobs), in one step: all keys
-- of a prefix are in one slot. The keys and events are those that BullMQ's own producers leave. Redis does nothing else
-- meanwhile, so most jobs cost no command but those of the events that readers can still see: their hashes have their
-- names, and what goes to the same key is written together. Only a job whose id a client gave gets its name here. The
-- jobs of a small flow are stored in this step, too.
--
-- Everything that could fail comes before the first write, or is the first write: the jobs are added all or none. A
-- store that hung may start the script long after the add was reported as failed, and then it adds nothing.
--
-- Returns CAME_LATE after the deadline or when staged jobs are discarded; "full" with the bound where too many jobs
-- would wait; "group" with the position of the first job that is too many and how many jobs of its group wait;
-- "exists" with the position of a job of a flow whose id exists, among those with given ids; "each" when the jobs
-- were to be new and one is not; what is known of the key of a remembered add; or "added", and for each job that
-- stands for one that is not added the position of that, its id, and 1 when it stands for a deduplication id, else 0.
-- What is staged of those that are not added is then to be discarded.
--
-- stagedName: name of the staged add; empty for jobs that are not staged
-- terms: the queues as JSON: of each its name, the most jobs that may wait there or false, the same of a group, the
--   last place that a job has in its group, and the facts of its jobs: their count (jobs), how many would wait
--   (toWait), hasGroups, isAnyDelayed, firstExpiry, and what groups/group-newcomers has of their groups (fields,
--   ungroupedAfter)
-- remembered: by what the add is remembered, as JSON: key, body (both digests), defaults; empty when it is not
-- contents: as JSON what the arguments of the jobs are (adds/staged-columns) and their count, isFlow, isDeduplicating,
--   isAnyGiven (whether a client gave any id), first (the number of the first job, empty for a flow), keys (how many
--   it has staged), stored (the first and last argument, counted from REST on, of the keys to store: adds/stored-keys),
--   and allNew, where no job may stand for one that exists. That has, each with its first and last
--   argument counted from REST on: given, the keys of jobs with given ids; renamed, the keys to rename and their
--   new names; holders, the keys of deduplication ids, the ids of their jobs, and ttls or the ttl of all; and writes,
--   of each command the number of the queue, its name and its key
-- REST: the columns of the jobs, and the other arguments
--- @include "reading/in-pieces"
--- @include "reading/in-time"
--- @include "adds/staged-add"
--- @include "adds/staged-columns"
--- @include "adds/staged-places"
--- @include "adds/stored-keys"

if cameLate(deadline) then return CAME_LATE end

local queues, header = cjson.decode(terms), cjson.decode(contents)
local isStaged, list = stagedName ~= "", listOf(prefix, stagedName)
if isStaged then
  local began = rcall("ZSCORE", stagedAdds, stagedName)
  if not began or began == "0" or rcall("LLEN", list) < header.keys then return CAME_LATE end
end
local count, jobs = header.count, columnsOf(header, REST)

local identity, records, record
if remembered ~= "" then
  --- @include "adds/recalled-add"
  identity, records = cjson.decode(remembered), prefix .. ":" .. queues[1][1] .. ":" .. REMEMBERED
  record = records .. "-" .. identity.key
  local known = recall(record, identity.body)
  -- A staged add itself holds the claim.
  if known and not (isStaged and known[1] == "running") then return known end
  rcall("LLEN", records)
end

-- Called when the add is refused: the next one with its key need not wait for the claim of this one.
local function releaseClaim()
  if identity then rcall("UNLINK", record) end
end

local places = {}
for index, queue in ipairs(queues) do
  local place, problem = placesIn(queue[1], prefix, timestamp, jobs)
  if not place then return problem end
  places[index] = place
end
rcall("ZCARD", expiringQueues)
rcall("ZCARD", registry)

-- Calls `found` with the position among the keys, from one to another, of each that exists.
local function eachExisting(keys, from, to, found)
  for first = from, to, AT_ONCE do
    local last = math.min(first + AT_ONCE - 1, to)
    if rcall("EXISTS", unpack(keys, first, last)) > 0 then
      for index = first, last do
        if rcall("EXISTS", keys[index]) == 1 then found(index) end
      end
    end
  end
end

-- The keys of the jobs with given ids, by position.
local keyAt = {}

-- Notes which of the given ids exist. Fails when one is that of another type of key.
local function findExisting()
  local keys, positions, size = {}, {}, 0
  for position = 1, count do
    if jobs.given[position] then
      local key = places[jobs.queues[position]].base .. jobs.ids[position]
      size = size + 1
      keys[size], positions[size], keyAt[position] = key, position, key
    end
  end
  eachExisting(keys, 1, size, function(index)
    rcall("HLEN", keys[index])
    places[jobs.queues[positions[index]]].exists[jobs.ids[positions[index]]] = true
  end)
end

local deduplications
if header.allNew then
  local given, held, existing = header.allNew.given, header.allNew.holders.keys, nil
  local function note(index)
    rcall("HLEN", ARGV[index])
    existing = existing or index
  end
  eachExisting(ARGV, REST + given[1], REST + given[2], note)
  if existing and header.isFlow then
    releaseClaim()
    return {"exists", existing - REST - given[1]}
  end
  eachExisting(ARGV, REST + held[1], REST + held[2], function() existing = true end)
  if existing then return {"each"} end
else
  if header.isAnyGiven then findExisting() end
  if header.isDeduplicating then
    --- @include "adds/staged-deduplications"
    deduplications = deduplicationsOf(places[1], jobs, count, timestamp)
  end
end

--- @include "adds/staged-room"
local refusal = refusalOf()
if refusal then
  releaseClaim()
  return refusal
end

for index, place in ipairs(places) do
  local facts = queues[index][5]
  place.begin(registry, queues[index][4], header.isFlow and facts.jobs or 0, facts.hasGroups)
end
storeKeys(REST + header.stored[1], REST + header.stored[2])

local answers, left, hidden = {}, {}, list .. "-"

if header.allNew then
  --- @include "adds/staged-writes"
  addAllNew()
else
  --- @include "adds/staged-each"
  addEach()
end
if deduplications then deduplications.write() end
for _, place in ipairs(places) do place.finish(expiringQueues) end

-- The numbers of the jobs that others stand for, as ranges: they stay hidden until their hashes are discarded.
local function numbersLeft()
  local ranges, size, previous = {}, 0, nil
  for _, answer in ipairs(answers) do
    local position = answer[1] + 1
    if not jobs.given[position] then
      if previous ~= position - 1 then
        size = size + 2
        ranges[size] = jobs.ids[position]
      end
      ranges[size - 1], previous = jobs.ids[position], position
    end
  end
  return ranges
end

local base = numbersOf(prefix, stagedName)
if isStaged then
  rcall("UNLINK", list)
  rcall("ZREM", stagedAdds, stagedName)
  if base then rcall("ZREM", base .. STAGED_NUMBERS, header.first) end
end
if #left > 0 then
  inPieces("RPUSH", list, left)
  rcall("ZADD", stagedAdds, 0, stagedName)
  if base then inPieces("ZADD", base .. STAGED_NUMBERS, numbersLeft()) end
end

if identity then
  --- @include "adds/remembered-add"
  remember(record, records, identity.body, identity.defaults, timestamp, header.first, answers)
end
return {"added", answers}
