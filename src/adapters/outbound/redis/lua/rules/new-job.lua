-- Writes the record of a job that is added, from where it is staged, if it is.
local function writeJob(job, staged, name, data, opts, timestamp, delay, priority)
  if staged then
    rcall("RENAME", staged, job)
    rcall("PERSIST", job)
  else
    rcall("HSET", job, "name", name, "data", data, "opts", opts, "timestamp", timestamp, "delay", delay,
      "priority", priority)
  end
end

-- Notes the group of a job that is added, and its cost unless that is the usual one.
local function joinGroup(job, group, cost)
  rcall("HSET", job, GROUP, group)
  if cost ~= "1" then rcall("HSET", job, GROUP_COST, cost) end
end
