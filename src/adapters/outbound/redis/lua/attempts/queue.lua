-- The keys of a queue by their names, and the time of the run (epoch ms), for the rules that start and end jobs.
local function queueOf(prefix, timestamp)
  return {
    prefix = prefix,
    timestamp = timestamp,
    wait = prefix .. "wait",
    active = prefix .. "active",
    prioritized = prefix .. "prioritized",
    delayed = prefix .. "delayed",
    stalled = prefix .. "stalled",
    events = prefix .. "events",
    meta = prefix .. "meta",
    priorityCounter = prefix .. "pc",
    marker = prefix .. "marker",
    completed = prefix .. "completed",
    failed = prefix .. "failed",
    limiter = prefix .. "limiter",
  }
end
