--- @include "adds/expiring-jobs"
--- @include "adds/job-bytes"
--- @include "adds/place"

-- The jobs of an add from its arguments, before anything is written: lists by position, without usual values, in the
-- form of adds/staged-columns. TypeScript's `placeOf` writes the place of a job. `exists` has the bytes of the jobs
-- that exist, by their ids, `toCome` how many events are to come at the least.
local function givenJobs(first, fields, prefix, timestamp)
  local none = {}
  local jobs = {id = none, given = none, due = none, priority = none, lifo = none, expires = none, cost = none,
    startCost = none, group = none, deduplicationId = none, deduplication = none, isParent = none, exists = {},
    toCome = 0}

  -- Most adds need no list, and making one costs more than the rest of this function.
  local function note(name, position, value)
    if jobs[name] == none then jobs[name] = {} end
    jobs[name][position] = value
  end

  local function notePlace(position, place)
    local delay, priority, lifo, id, ttl, cost, group, startCost = placeOf(place)
    if group then
      note("cost", position, cost)
      note("group", position, group)
    end
    if startCost then note("startCost", position, startCost) end
    if delay ~= "0" then note("due", position, timestamp + delay) end
    if priority ~= "0" then note("priority", position, tonumber(priority)) end
    if lifo == "1" then note("lifo", position, true) end
    if ttl ~= "0" then note("expires", position, expiryOf(timestamp, ttl)) end
    if id == "" then return end
    note("id", position, id)
    if not jobs.exists[id] and rcall("EXISTS", prefix .. id) == 1 then jobs.exists[id] = bytesOf(prefix .. id) end
  end

  for index = first, #ARGV, fields do
    local position, place, text = (index - first) / fields + 1, ARGV[index], fields == 5 and ARGV[index + 4] or ""
    if place ~= "" then notePlace(position, place) end
    if text ~= "" then
      local deduplication = cjson.decode(text)
      note("deduplication", position, deduplication)
      note("deduplicationId", position, deduplication["id"])
    end
    jobs.toCome = jobs.toCome + ((text ~= "" or jobs.id[position]) and 1 or 2)
  end
  jobs.given = jobs.id
  return jobs
end
