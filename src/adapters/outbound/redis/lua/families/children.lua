-- Jobs below another that go with it in one run: it takes a few milliseconds.
local MOST_IN_ONE_RUN = 100

-- The keys of the jobs right below another: those that completed, that failed and were passed over, that failed it, and
-- that it waits for.
local function childrenOf(job)
  local children = {}
  for _, some in ipairs({rcall("HKEYS", job .. ":processed"), rcall("HKEYS", job .. ":failed"),
      rcall("ZRANGE", job .. ":unsuccessful", 0, -1), rcall("SMEMBERS", job .. ":dependencies")}) do
    for _, child in ipairs(some) do children[#children + 1] = child end
  end
  return children
end

local function countOfChildren(job)
  return rcall("HLEN", job .. ":processed") + rcall("HLEN", job .. ":failed") +
    rcall("ZCARD", job .. ":unsuccessful") + rcall("SCARD", job .. ":dependencies")
end

-- Whether few jobs are below another, and none of them in a queue with a long list of waiting jobs: taking one out of
-- that list may cost the store a long walk.
local function isSmallFamily(job)
  local left = MOST_IN_ONE_RUN
  local function countBelow(parent)
    left = left - countOfChildren(parent)
    if left < 0 then return end
    for _, child in ipairs(childrenOf(parent)) do
      if rcall("LLEN", string.match(child, "^(.*:)") .. "wait") > REACH then left = -1 end
      if left >= 0 then countBelow(child) end
    end
  end
  countBelow(job)
  return left >= 0
end
