-- The jobs of a large add or flow. Each has the same number of arguments, `columns.each`, from the one at `first` on.
-- `columns.at` says which of them is the queue, the terms, the name, … of a job; what is the same for all jobs is in
-- `columns.all`. Returns their count and a list for each, by position: queues (their indexes), terms, names, ids
-- (nothing for the next number), groups and orders (the places in them), parents (their positions), deduplications, and
-- given (whether the client gave the id).
--
-- The terms say where a job goes: delay, priority, isLifo, ttl and isParent, as one text.
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
    for position = 1, count do
      local text = arguments[index]
      index = index + each
      if not read then values[position] = text ~= "" and text
      elseif text == "" then values[position] = false
      else
        local value = known[text]
        if not value then
          value = read(text)
          known[text] = value
        end
        values[position] = value
      end
    end
    return values
  end

  local function termsIn(text)
    local delay, priority, lifo, ttl, parent = string.match(text, "^(%d+):(%d+):(%d):(%d+):(%d)$")
    return {delay = tonumber(delay), priority = tonumber(priority), isLifo = lifo == "1", ttl = tonumber(ttl),
      isParent = parent == "1"}
  end

  return count, {queues = list("queue", tonumber), terms = list("terms", termsIn), names = list("name"),
    ids = list("id"), groups = list("group"), orders = list("order"), parents = list("parent", tonumber),
    deduplications = list("deduplication", cjson.decode), given = list("isGiven")}
end
