-- Writes an event of a job and trims the stream to `maxEvents`, unless that is nothing: then the run trims it
-- elsewhere.
-- `group` is false or nothing for a job without one.
--
-- ...: further names and values
local function groupEvent(events, maxEvents, group, event, id, ...)
  if group then
    local fields = {...}
    fields[#fields + 1], fields[#fields + 2] = "group", group
    return groupEvent(events, maxEvents, nil, event, id, unpack(fields))
  end
  if maxEvents then
    rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, ...)
  else
    rcall("XADD", events, "*", "event", event, "jobId", id, ...)
  end
end

-- The same of a job whose hash names its group, where it has one.
local function jobEvent(prefix, maxEvents, event, id, ...)
  local group = redis.pcall("HGET", prefix .. id, GROUP)
  groupEvent(prefix .. "events", maxEvents, type(group) == "string" and group, event, id, ...)
end
