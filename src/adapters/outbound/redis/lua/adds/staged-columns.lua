-- The jobs of a large add or flow. The arguments of the script are theirs, column by column: `columns.at` says how far
-- behind the one at `first` the queues, the ids, the names, … begin; what is the same for all jobs is in `columns.all`.
-- Returns of each column a list, by position, with nothing for what is empty; a list is made when it is first used.
-- Columns rather than a text for each job: to take thousands of texts apart takes longer than to store the jobs.
local function columnsOf(columns, first)
  local arguments, count = ARGV, columns.count

  local function list(name, read)
    local values, at, known = {}, columns.at[name], {}
    if not at then
      local ofAll = columns.all[name]
      if ofAll == "" then return values end
      ofAll = read and read(ofAll) or ofAll
      for position = 1, count do values[position] = ofAll end
      return values
    end
    local before = first - 1 + at
    for position = 1, count do
      local text = arguments[before + position]
      local value = read and known[text]
      if value == nil then
        value = text ~= "" and (read and read(text) or text)
        known[text] = value
      end
      values[position] = value
    end
    return values
  end

  local named = {queues = "queue", ids = "id", names = "name", priorities = "priority", lifo = "lifo",
    areParents = "isParent", expirations = "expires", dues = "due", scores = "score", groups = "group",
    members = "member", deduplicationIds = "deduplicationId", deduplications = "deduplication", given = "given"}
  local reads = {queues = tonumber, priorities = tonumber, deduplications = cjson.decode}
  return setmetatable({}, {__index = function(lists, name)
    local values = list(named[name], reads[name])
    rawset(lists, name, values)
    return values
  end})
end

-- Returns before which argument the column begins, or nothing where all jobs have the same in it, and then that.
local function columnBefore(columns, first, name)
  local at = columns.at[name]
  if at then return first - 1 + at end
  return nil, columns.all[name]
end
