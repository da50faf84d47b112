-- Writes an event of a job of a group, or of one without any, where `group` is false. It does not trim the stream.
--
-- ...: further names and values
local function groupEvent(prefix, group, event, id, ...)
  local fields = {...}
  if group then
    fields[#fields + 1] = "group"
    fields[#fields + 1] = group
  end
  rcall("XADD", prefix .. "events", "*", "event", event, "jobId", id, unpack(fields))
end

-- The same of a job whose hash names its group, where it has one.
local function jobEvent(prefix, event, id, ...)
  local group = redis.pcall("HGET", prefix .. id, GROUP)
  groupEvent(prefix, type(group) == "string" and group, event, id, ...)
end
