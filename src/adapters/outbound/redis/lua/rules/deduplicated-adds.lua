--- @include "bullmq/deduplicateJob"
--- @include "rules/job-bytes"

-- The deduplications of a batch: `fields` arguments of each job from `first` on, of which the last is its deduplication
-- as JSON, or empty. It fails when a deduplication id is held by what is not a job. Returns
--
-- - the deduplication of each job that has one, by the index of its first argument;
-- - a function that returns whether the job at an index would be stored, if those before it were as they would be: that
--   frees the id of one that it replaces;
-- - a function that returns for the one at an index the job that stands for its deduplication id, as an add answers it,
--   and nothing when the one at the index is to be stored. `bytes` loses the id of a job that was replaced.
local function deduplicating(prefix, delayed, events, first, fields, timestamp)
  local deduplications, standings = {}, {}
  for index = first, #ARGV, fields do
    local text = ARGV[index + fields - 1]
    if text ~= "" then
      local deduplication = cjson.decode(text)
      deduplications[index] = deduplication
      local standing = rcall("GET", prefix .. "de:" .. deduplication["id"])
      if standing then rcall("HLEN", prefix .. standing) end
    end
  end

  local function standingFor(key)
    if standings[key] then return standings[key] end
    local id = rcall("GET", key)
    return id and {id = id, isDelayed = rcall("ZSCORE", delayed, id), isGone = rcall("EXISTS", prefix .. id) == 0,
      isEndless = rcall("PTTL", key) == -1}
  end

  local function wouldStore(index, id, isDelayed, taken, freed)
    local deduplication = deduplications[index]
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

  local function deduplicate(index, id, name, data, opts, delay, bytes, maxEvents)
    local deduplication = deduplications[index]
    local key = prefix .. "de:" .. deduplication["id"]
    local before = rcall("GET", key)
    local standing = deduplicateJob(deduplication, id, delayed, key, events, maxEvents, prefix, name, data,
      {delay = tonumber(delay), text = opts}, nil, nil, nil, nil, timestamp)
    if before and bytes[before] and rcall("EXISTS", prefix .. before) == 0 then bytes[before] = nil end
    local job = standing and prefix .. standing
    return job and {standing, rcall("EXISTS", job) == 1 and bytesOf(job) or 0, 1}
  end

  return deduplications, wouldStore, deduplicate
end
