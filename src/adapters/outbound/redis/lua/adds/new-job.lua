-- Writes the record of a job that is added, with further fields and values.
local function writeJob(job, name, data, opts, timestamp, delay, priority, ...)
  rcall("HSET", job, "name", name, "data", data, "opts", opts, "timestamp", timestamp, "delay", delay,
    "priority", priority, ...)
end

-- Notes what the start of a job that is added counts, where that is not 1.
local function noteCost(base, job, cost)
  rcall("HSET", job, COST, cost)
  rcall("HSET", base .. "meta", COSTED, "1")
end

-- Notes the group of a job that is added, and its cost unless that is the usual one.
local function joinGroup(job, group, cost)
  rcall("HSET", job, GROUP, group)
  if cost ~= "1" then rcall("HSET", job, GROUP_COST, cost) end
end
