-- Makes the jobs of a large add or flow visible, which other runs have staged (steps/stage-jobs), in one step: all keys
-- of a prefix are in one slot. The keys and events are those that BullMQ's own producers leave. Redis does nothing else
-- meanwhile, so each job costs few commands: its hash gets its name, and what goes to the same key is written together.
--
-- Everything that could fail comes before the first write, or is the first write: the jobs are added all or none. A
-- store that hung may start the script long after the add was reported as failed, and then it adds nothing.
--
-- Returns "late" after the deadline or when staged jobs are gone; "full" with the bound where too many jobs would wait;
-- "group" with the position of the first job that is too many and how many jobs of its group wait; "exists" with the
-- position of a job of a flow whose id exists; what is known of the key of a remembered add; or "added", the number of
-- the first job, and for each job that stands for one that is not added the position of that, its id, and 1 when it
-- stands for a deduplication id, else 0.
--
-- KEYS[1] registry of queues
-- KEYS[2] register of queues with expiring jobs
--
-- ARGV[1] prefix
-- ARGV[2] timestamp
-- ARGV[3] deadline, in epoch ms of the store
-- ARGV[4] what stands before the numbers of the staged jobs
-- ARGV[5] the queues as JSON: of each its name, the most jobs that may wait there or false, the same of a group, and
--   the last place that a job has in its group
-- ARGV[6] by what the add is remembered, as JSON: key, body (both digests), defaults; empty when it is not
-- ARGV[7] as JSON what the arguments of the jobs are (rules/staged-columns), isFlow, and isDeduplicating
-- ARGV[8…] of each job its arguments
--- @include "rules/in-pieces"
--- @include "rules/in-time"
--- @include "rules/staged-columns"
--- @include "rules/staged-places"

-- How many keys one command looks for.
local KEYS_AT_ONCE = 1000

local registry, expiringQueues = KEYS[1], KEYS[2]
local prefix, timestamp, staged = ARGV[1], ARGV[2], ARGV[4]
if cameLate(ARGV[3]) then return {"late"} end

local FIRST = 8
local queues, header = cjson.decode(ARGV[5]), cjson.decode(ARGV[7])
local count, jobs = columnsOf(header, FIRST)

local identity, records, record
if ARGV[6] ~= "" then
  --- @include "rules/recalled-add"
  identity, records = cjson.decode(ARGV[6]), prefix .. ":" .. queues[1][1] .. ":" .. REMEMBERED
  record = records .. "-" .. identity.key
  local known = recall(record, identity.body)
  -- The add itself holds the claim.
  if known and known[1] ~= "running" then return known end
  rcall("LLEN", records)
end

local places = {}
for index, queue in ipairs(queues) do
  local place, problem = placesIn(queue[1], prefix, timestamp)
  if not place then return problem end
  places[index] = place
end
rcall("ZCARD", expiringQueues)
rcall("ZCARD", registry)

-- How many of the keys exist.
local function existing(keys, from, to) return rcall("EXISTS", unpack(keys, from, to)) end

local sources = {}
for position = 1, count do sources[position] = staged .. position end
for from = 1, count, KEYS_AT_ONCE do
  local to = math.min(from + KEYS_AT_ONCE - 1, count)
  if existing(sources, from, to) < to - from + 1 then return {"late"} end
end

-- Notes which of the given ids exist. Returns the position of the first. Fails when one is that of another type of key.
local function findExisting()
  local keys, positions, first = {}, {}, nil
  for position = 1, count do
    if jobs.given[position] then
      local size = #keys + 1
      keys[size], positions[size] = places[jobs.queues[position]].base .. jobs.ids[position], position
    end
  end
  for from = 1, #keys, KEYS_AT_ONCE do
    local to = math.min(from + KEYS_AT_ONCE - 1, #keys)
    if existing(keys, from, to) > 0 then
      for index = from, to do
        if existing(keys, index, index) > 0 then
          rcall("HLEN", keys[index])
          first = first or positions[index]
          places[jobs.queues[positions[index]]].exists[jobs.ids[positions[index]]] = true
        end
      end
    end
  end
  return first
end
local firstExisting = findExisting()
if header.isFlow and firstExisting then return {"exists", firstExisting - 1} end

local deduplications
if header.isDeduplicating then
  --- @include "rules/staged-deduplications"
  deduplications = deduplicationsOf(places[1], jobs.deduplications, count, timestamp)
end

--- @include "rules/staged-room"
local refusal = refusalOf()
if refusal then
  -- The next add need not wait for the claim of this one.
  if identity then rcall("UNLINK", record) end
  return refusal
end

for index, place in ipairs(places) do place.begin(registry, queues[index][4]) end
local first = places[1].number + 1

local answers, dependencies, keys = {}, {}, {}
local ids, groups, orders, terms = jobs.ids, jobs.groups, jobs.orders, jobs.terms
local names, parents = jobs.names, jobs.parents
for position = 1, count do
  local place, id, group, ofJob = places[jobs.queues[position]], ids[position], groups[position], terms[position]
  local number = place.number + 1
  place.number = number
  if not id then id = number < 1e14 and tostring(number) or string.format("%.0f", number) end
  local name, standing, isDeduplicated = names[position] or "", nil, 0
  if place.exists[id] then
    place.event("duplicated", id)
    standing = id
  elseif deduplications then
    standing, isDeduplicated = deduplications.standingFor(position, id, name, sources[position], ofJob.delay), 1
  end
  if standing then
    answers[#answers + 1] = {position - 1, standing, isDeduplicated}
  else
    local source, key, parent = sources[position], place.base .. id, parents[position]
    -- In this order the new name never has a time to expire, which would cost more.
    rcall("PERSIST", source)
    rcall("RENAME", source, key)
    if jobs.given[position] then place.exists[id] = true end
    place.event("added", id, group, "name", name)
    place.place(id, ofJob, group, orders[position])
    if ofJob.isParent then keys[position] = key end
    if parent then
      local children = dependencies[parent] or {}
      dependencies[parent] = children
      children[#children + 1] = key
    end
  end
end
for parent, children in pairs(dependencies) do inPieces("SADD", keys[parent] .. ":dependencies", children) end
if deduplications then deduplications.write() end
for _, place in ipairs(places) do place.finish(expiringQueues) end

first = string.format("%.0f", first)
if identity then
  --- @include "rules/remembered-add"
  remember(record, records, identity.body, identity.defaults, timestamp, first, answers)
end
return {"added", first, answers}
