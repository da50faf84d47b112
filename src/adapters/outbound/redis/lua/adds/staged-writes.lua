-- Adds the jobs of a large add or flow of which none stands for one that exists. The client then knows the values for
-- each key, and the arguments have them in pieces: a few steps of Lua for each of thousands of jobs take about as long
-- as the commands. Part of adds/add-staged, whose variables it uses.

-- Gives the jobs whose ids a client gave their names.
local function renameGiven()
  local from, to = REST + header.renamed.from[1], REST + header.renamed.to[1]
  for index = 0, header.renamed.to[2] - header.renamed.to[1] do
    rcall("RENAME", ARGV[from + index], ARGV[to + index])
  end
end

-- Has jobs hold their deduplication ids.
local function holdIds()
  local key, id, last = REST + holders.keys[1], REST + holders.ids[1], holders.keys[2] - holders.keys[1]
  local ttls, ttl, entries = holders.ttls and REST + holders.ttls[1], holders.ttl, {}
  for index = 0, last do
    if ttls then ttl = ARGV[ttls + index] end
    if ttl == "" then
      local size = #entries
      entries[size + 1], entries[size + 2] = ARGV[key + index], ARGV[id + index]
    else
      rcall("SET", ARGV[key + index], ARGV[id + index], "PX", ttl)
    end
  end
  for from = 1, #entries, AT_ONCE do
    rcall("MSET", unpack(entries, from, math.min(from + AT_ONCE - 1, #entries)))
  end
end

local function addAllNew(report)
  renameGiven()
  holdIds()
  for index, place in ipairs(places) do
    local facts = queues[index]
    place.join(ARGV, REST + facts.fields[1], REST + facts.fields[2], facts.hasGroups, facts.ungroupedAfter)
  end
  for _, write in ipairs(header.writes) do
    places[write[1]].put(write[2], write[3], ARGV, REST + write[4], REST + write[5])
  end
  for position = #places == 1 and places[1].skipEvents() + 1 or 1, count do report(position) end
end
