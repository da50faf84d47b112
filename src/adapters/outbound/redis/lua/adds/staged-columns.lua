-- The jobs of a large add or flow. The arguments of the script are theirs, column by column: `header.at` says how far
-- behind the one at `first` the queues, the ids, the names, … begin; what is the same for all jobs is in `header.all`.
-- Returns of each column a list, by position, with nothing for what is empty; a list is made when it is first used.
-- Columns rather than a text for each job: to take thousands of texts apart takes longer than to store the jobs.
local function columnsOf(header, first)
  local arguments, count = ARGV, header.count
  local reads = {queue = tonumber, write = tonumber, expiry = tonumber, deduplication = cjson.decode}

  local function listOf(name)
    local values, at, ofAll, read, known = {}, header.at[name], header.all[name], reads[name], {}
    if not at and ofAll == "" then return values end
    local before = at and first - 1 + at
    for position = 1, count do
      local value = at and arguments[before + position] or ofAll
      if value == "" then
        value = false
      elseif read then
        if known[value] == nil then known[value] = read(value) end
        value = known[value]
      end
      values[position] = value
    end
    return values
  end

  return setmetatable({}, {__index = function(lists, name)
    local values = listOf(name)
    rawset(lists, name, values)
    return values
  end})
end
