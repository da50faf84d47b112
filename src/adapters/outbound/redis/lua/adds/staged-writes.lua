-- Adds the jobs of a large add or flow of which none stands for one that exists. The client knows then what is written
-- to each key, and the arguments have that in pieces: a few steps of Lua for each of thousands of jobs take about as
-- long as the commands. Part of adds/add-staged, whose variables it uses.

-- Gives the jobs whose ids a client gave their names.
local function renameGiven()
  local from, to = REST + header.allNew.renamed.from[1], REST + header.allNew.renamed.to[1]
  for index = 0, header.allNew.renamed.to[2] - header.allNew.renamed.to[1] do
    rcall("RENAME", ARGV[from + index], ARGV[to + index])
  end
end

-- Has jobs hold their deduplication ids.
local function holdIds()
  local holders = header.allNew.holders
  local key, id, last = REST + holders.keys[1], REST + holders.ids[1], holders.keys[2] - holders.keys[1]
  local ttls, ttl, entries = holders.ttls and REST + holders.ttls[1], holders.ttl, {}
  if not ttls and ttl == "" then
    for from = 0, last, AT_ONCE do
      local size = 0
      for index = from, math.min(from + AT_ONCE - 1, last) do
        entries[size + 1], entries[size + 2] = ARGV[key + index], ARGV[id + index]
        size = size + 2
      end
      rcall("MSET", unpack(entries, 1, size))
    end
    return
  end
  for index = 0, last do
    if ttls then ttl = ARGV[ttls + index] end
    if ttl == "" then rcall("SET", ARGV[key + index], ARGV[id + index])
    else rcall("SET", ARGV[key + index], ARGV[id + index], "PX", ttl) end
  end
end

-- Writes what happened to the jobs.
local function reportAll()
  local queueAt = columnBefore(header, REST, "queue")
  local idAt = columnBefore(header, REST, "id")
  local nameAt, name = columnBefore(header, REST, "name")
  local groupAt, group = columnBefore(header, REST, "group")
  local dueAt, due = columnBefore(header, REST, "due")
  local parentAt, isParent = columnBefore(header, REST, "isParent")
  local place = places[1]
  for position = queueAt and 1 or place.skipEvents() + 1, header.count do
    if queueAt then place = places[tonumber(ARGV[queueAt + position])] end
    if nameAt then name = ARGV[nameAt + position] end
    if groupAt then group = ARGV[groupAt + position] end
    if dueAt then due = ARGV[dueAt + position] end
    if parentAt then isParent = ARGV[parentAt + position] end
    local id, shown = ARGV[idAt + position], group ~= "" and group
    if isParent ~= "" then place.reportStored(id, shown, name, "waiting-children")
    elseif due ~= "" then place.reportStored(id, shown, name, "delayed", "delay", due)
    else place.reportStored(id, shown, name, "waiting") end
  end
end

local function addAllNew()
  renameGiven()
  holdIds()
  for index, place in ipairs(places) do place.joinTogether(queues[index][5], REST) end
  for _, write in ipairs(header.allNew.writes) do
    local place, command, key, first, last = places[write[1]], write[2], write[3], REST + write[4], REST + write[5]
    if key == "prioritized" then place.scorePriorities(first, last) end
    inPieces(command, place.base .. key, ARGV, first, last)
  end
  reportAll()
end
