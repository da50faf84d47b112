-- Makes the jobs of a large add or flow visible, which other runs have staged (adds/stage-jobs), in one step: all keys
-- of a prefix are in one slot. The keys and events are those that BullMQ's own producers leave. Redis does nothing else
-- meanwhile, so most jobs cost no command but those of the events that readers can still see: their hashes have their
-- names, and what goes to the same key is written together. Only a job whose id a client gave gets its name here.
--
-- Everything that could fail comes before the first write, or is the first write: the jobs are added all or none. A
-- store that hung may start the script long after the add was reported as failed, and then it adds nothing.
--
-- Returns CAME_LATE after the deadline or when staged jobs are discarded; the refusal of adds/queue-room; "exists" with
-- the position of a job of a flow whose id exists, among the jobs with given ids; "each" when the jobs were to be new
-- and one is not; the answer of adds/recalled-add when the key of a remembered add is known; or "added" as
-- adds/add-jobs does, without bytes. The caller then discards the staged jobs that are not added.
--
-- stagedName: name of the staged add
-- terms: the queues as JSON: of each its name, maxWaiting and maxOfGroup (the most jobs that may wait, and of a group,
--   if there is a bound), how many jobs it gets (jobs), how many of them would wait (toWait), and the facts about their
--   groups that groups/group-newcomers needs (hasGroups, fields, lastOrder, ungroupedAfter)
-- remembered: by what the add is remembered, as JSON: key, body (both digests), defaults; empty when it is not
-- home: the queue that remembers it
-- isDry: whether to store nothing
-- contents: as JSON the columns of the jobs (adds/staged-columns: count, at, all), isFlow, isDeduplicating,
--   first (the number of the first job, empty where the jobs have other ids), keys (how many it has staged), and, each
--   with its first and last argument counted from REST on: renamed, the keys to rename and their new names (from and
--   to), those of jobs with given ids first; given, the latter; writes, of each command the number of the queue, its
--   name and its key; and where no job may stand for one that exists, holders: the keys of deduplication ids, the ids
--   of their jobs, and ttls or the ttl of all
-- REST: the columns of the jobs, and the other arguments
--- @include "reading/in-pieces"
--- @include "reading/in-time"
--- @include "adds/added-once"
--- @include "adds/staged-add"
--- @include "adds/staged-columns"
--- @include "adds/staged-places"
--- @include "adds/add-room"

if cameLate(deadline) then return CAME_LATE end

local queues, header = cjson.decode(terms), cjson.decode(contents)
local list = wholeListOf(stagedAdds, prefix, stagedName, header.keys)
if not list then return CAME_LATE end
local count, holders, jobs = header.count, header.holders, columnsOf(header, REST)

local known, remember, record = addedOnce(prefix .. ":" .. home .. ":", remembered)
-- The add itself holds the claim.
if known and known[1] ~= "running" then return known end

-- The next add with the key of one that is refused need not wait for the claim of that.
local function refused(refusal)
  if record then rcall("UNLINK", record) end
  return refusal
end

local places = {}
for index, facts in ipairs(queues) do
  local place, problem = placesIn(facts, prefix)
  if not place then return problem end
  places[index] = place
end
rcall("ZCARD", expiringQueues)
rcall("ZCARD", registry)

-- Returns the arguments of a piece that are names of keys that exist, and the first of them.
local function existingKeys(piece)
  local found, firstFound = {}, nil
  for first = REST + piece[1], REST + piece[2], AT_ONCE do
    local last = math.min(first + AT_ONCE - 1, REST + piece[2])
    for index = rcall("EXISTS", unpack(ARGV, first, last)) > 0 and first or math.huge, last do
      if rcall("EXISTS", ARGV[index]) == 1 then
        found[index], firstFound = true, firstFound or index
      end
    end
  end
  return found, firstFound
end

local given, firstExisting = existingKeys(header.given)
for index in pairs(given) do rcall("HLEN", ARGV[index]) end
local each
if holders then
  if firstExisting and header.isFlow then
    return refused({"exists", firstExisting - REST - header.given[1]})
  end
  local _, firstHeld = existingKeys(holders.keys)
  if firstExisting or firstHeld then return {"each"} end
else
  --- @include "adds/staged-each"
  each = oneByOne(given)
end

-- Where all jobs are new and no group has a bound, the terms have the counts.
local isRoomKnown, rooms = holders, {}
for index, place in ipairs(places) do
  rooms[index] = roomIn(place, jobs, each and each.wouldStore)
  if queues[index].hasGroups and (place.maxOfGroup or rcall("EXISTS", place.base .. GROUP_SETTINGS) == 1) then
    isRoomKnown = false
  end
end
for position = isRoomKnown and math.huge or 1, count do rooms[jobs.queue[position]].count(position) end
local excess, full = {}, {}
for index, room in ipairs(rooms) do
  if isRoomKnown then room.toWait, room.toCome = queues[index].toWait, 2 * queues[index].jobs end
  local tooMany = room.excess()
  if tooMany > 0 then excess[#excess + 1] = {index, tooMany} end
  for _, job in ipairs(room.full) do full[#full + 1] = job end
end
local refusal = refusalOf(excess, full)
if refusal then return refused(refusal) end
if isDry then return {"added", "", {}} end

for index, place in ipairs(places) do
  place.begin(registry, header.first == "" and queues[index].jobs or 0, rooms[index].toCome)
end

local function report(position)
  places[jobs.queue[position]].eventsOfAdded(jobs.id[position], jobs.name[position] or "", jobs.group[position],
    jobs.due[position], jobs.isParent[position])
end

local existing, left = {}, {}
if each then
  existing, left = each.add(report)
else
  --- @include "adds/staged-writes"
  addAllNew(report)
end
for _, place in ipairs(places) do place.finish() end

-- The numbers of the jobs that others stand for, as ranges: they stay hidden until their hashes are discarded.
local function numbersLeft()
  local ranges, size, previous = {}, 0, nil
  for _, other in ipairs(existing) do
    local position = other[1] + 1
    if not jobs.given[position] then
      if previous ~= position - 1 then
        size = size + 2
        ranges[size] = jobs.id[position]
      end
      ranges[size - 1], previous = jobs.id[position], position
    end
  end
  return ranges
end

local base = numbersOf(prefix, stagedName)
rcall("UNLINK", list)
rcall("ZREM", stagedAdds, stagedName)
if base then rcall("ZREM", base .. STAGED_NUMBERS, header.first) end
if #left > 0 then
  inPieces("RPUSH", list, left)
  rcall("ZADD", stagedAdds, 0, stagedName)
  if base then inPieces("ZADD", base .. STAGED_NUMBERS, numbersLeft()) end
end

remember(timestamp, header.first, existing)
return {"added", header.first, existing}
