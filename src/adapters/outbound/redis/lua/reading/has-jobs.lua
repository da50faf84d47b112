-- Whether a queue has any job, in any state.
local function hasJobs(prefix)
  return rcall("EXISTS", prefix .. "active", prefix .. "wait", prefix .. "paused", prefix .. "prioritized",
    prefix .. "delayed", prefix .. GROUP_WAITING, prefix .. "completed", prefix .. "failed",
    prefix .. "waiting-children") > 0
end

-- Whether a queue is there: it has metadata as a rule.
local function isThere(prefix) return rcall("EXISTS", prefix .. "meta") == 1 or hasJobs(prefix) end
