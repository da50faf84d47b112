-- The jobs of a large add or flow. Each has the same number of arguments, `columns.each`, from the one at `first` on.
-- `columns.at` says which of them is the queue, the id, the name, … of a job; what is the same for all jobs is in
-- `columns.all`. Returns their count and of each column a list, by position, with nothing for what is empty. Columns
-- rather than a text for each job: to take thousands of texts apart takes longer than to store the jobs.
local function columnsOf(columns, first)
  local arguments, each = ARGV, columns.each
  local count = (#arguments - first + 1) / each

  local function list(name, read)
    local values, at, known = {}, columns.at[name], {}
    if not at then
      local ofAll = columns.all[name]
      if ofAll == "" then return values end
      ofAll = read and read(ofAll) or ofAll
      for position = 1, count do values[position] = ofAll end
      return values
    end
    local index = first + at
    if not read then
      for position = 1, count do
        local text = arguments[index]
        values[position] = text ~= "" and text
        index = index + each
      end
      return values
    end
    for position = 1, count do
      local text = arguments[index]
      index = index + each
      local value = known[text]
      if value == nil then
        value = text ~= "" and read(text)
        known[text] = value
      end
      values[position] = value
    end
    return values
  end

  return count, {queues = list("queue", tonumber), ids = list("id"), names = list("name"),
    priorities = list("priority", tonumber), lifo = list("lifo"), areParents = list("isParent"),
    expirations = list("expires"), dues = list("due"), scores = list("score"), groups = list("group"),
    members = list("member"), deduplicationIds = list("deduplicationId"),
    deduplications = list("deduplication", cjson.decode), given = list("given")}
end
