-- How many jobs of a batch would wait at once, found before anything of it is written. `bytes` has the ids that exist;
-- `wouldStore`, where jobs have deduplication ids, says whether a job with one would be stored.
local function waitingOfBatch(first, fields, bytes, deduplications, wouldStore)
  local toWait, taken, freed = 0, {}, {}
  for index = first, #ARGV, fields do
    local delay, _, _, id = placeOf(ARGV[index])
    if not taken[id] and (freed[id] or not bytes[id])
        and (not wouldStore or wouldStore(deduplications[index], id, delay ~= "0", taken, freed)) then
      if id ~= "" then taken[id] = true end
      if delay == "0" then toWait = toWait + 1 end
    end
  end
  return toWait
end
