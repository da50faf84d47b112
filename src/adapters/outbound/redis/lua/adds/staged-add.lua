-- The key of the list of what a staged add has written.
local function listOf(prefix, name) return prefix .. OWN_KEY .. STAGED_PREFIX .. name end

-- The job prefix of the queue in which it has reserved numbers, and the first of them; nothing for a flow.
local function numbersOf(prefix, name)
  local queue, first = string.match(name, "^([^:]+):(%d+):")
  if queue then return prefix .. ":" .. queue .. ":", first end
end

-- The key of that list once it has so many keys; nothing when what is there is to be discarded.
local function wholeListOf(stagedAdds, prefix, name, count)
  local began, list = rcall("ZSCORE", stagedAdds, name), listOf(prefix, name)
  if began and began ~= "0" and rcall("LLEN", list) >= count then return list end
end
