-- In TypeScript: domain/transitions/deduplication
--- @include "bullmq/deduplicateJob"

-- Fails when the deduplication id is held by what is not a job.
local function checkHolder(prefix, deduplication)
  local standing = rcall("GET", prefix .. "de:" .. deduplication["id"])
  if standing then rcall("HLEN", prefix .. standing) end
end

-- The deduplications of a small add, by the index of the first argument of each job. The last of its `fields` arguments
-- is its deduplication as JSON, or empty.
local function givenDeduplications(prefix, first, fields)
  local deduplications = {}
  for index = first, #ARGV, fields do
    local text = ARGV[index + fields - 1]
    if text ~= "" then
      deduplications[index] = cjson.decode(text)
      checkHolder(prefix, deduplications[index])
    end
  end
  return deduplications
end

-- Decides which jobs of an add with deduplication ids are stored. Returns
--
-- - a function that returns whether a job would be stored, if those before it were as they would be: that frees the id
--   of one that it replaces;
-- - a function that returns the job that stands for the deduplication id of a job, and nothing when the job itself is
--   to be stored. `exists` loses the id of a job that was replaced.
--
-- isFree: whether no job stands for the id of a key, where that is known
local function deduplicating(prefix, delayed, events, timestamp, isFree)
  local standings = {}

  local function standingFor(key)
    if standings[key] then return standings[key] end
    if isFree and isFree(key) then return nil end
    local id = rcall("GET", key)
    return id and {id = id, isDelayed = rcall("ZSCORE", delayed, id), isGone = rcall("EXISTS", prefix .. id) == 0,
      isEndless = rcall("PTTL", key) == -1}
  end

  local function wouldStore(deduplication, id, isDelayed, taken, freed)
    if not deduplication then return true end
    local key = prefix .. "de:" .. deduplication["id"]
    local standing = standingFor(key)
    local isReplaced = standing and deduplication["replace"] and standing.isDelayed
    if isReplaced then taken[standing.id], freed[standing.id] = nil, true end
    if not standing or isReplaced or standing.isGone and standing.isEndless then
      standings[key] = {id = id, isDelayed = isDelayed}
      return true
    end
    local isExtended = deduplication["extend"] and not deduplication["replace"] and (deduplication["ttl"] or 0) > 0
    if isExtended and deduplication["keepLastIfActive"] then standing.isEndless = true end
    standings[key] = standing
    return false
  end

  local function deduplicate(deduplication, id, name, data, opts, delay, exists, maxEvents)
    local key = prefix .. "de:" .. deduplication["id"]
    local before = rcall("GET", key)
    local standing = deduplicateJob(deduplication, id, delayed, key, events, maxEvents, prefix, name, data,
      {delay = tonumber(delay), text = opts}, nil, nil, nil, nil, timestamp)
    if before and exists[before] and rcall("EXISTS", prefix .. before) == 0 then exists[before] = nil end
    return standing
  end

  return wouldStore, deduplicate
end
