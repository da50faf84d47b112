-- Returns a function that writes an event, one that writes the two of a job that is stored, and one that leaves out
-- those of the first jobs and returns how many; for a run that is to write at least `toCome` events and trims the
-- stream at its end. As adds/batch-events has it, those that later ones of the run would push out are not written.
local function stagedEvents(events, maxEvents, toCome)
  local unseen = math.max(0, toCome - tonumber(maxEvents))
  if unseen > 0 then rcall("XTRIM", events, "MAXLEN", 0) end

  local function write(event, id, group, name, value, other, otherValue)
    if unseen > 0 then
      unseen = unseen - 1
    elseif other then
      rcall("XADD", events, "*", "event", event, "jobId", id, name, value, other, otherValue)
    elseif group and name then
      rcall("XADD", events, "*", "event", event, "jobId", id, name, value, "group", group)
    elseif group then
      rcall("XADD", events, "*", "event", event, "jobId", id, "group", group)
    elseif name then
      rcall("XADD", events, "*", "event", event, "jobId", id, name, value)
    else
      rcall("XADD", events, "*", "event", event, "jobId", id)
    end
  end

  -- The job was added, and then `event` happened to it, which has a further field where one is given.
  local function writeStored(id, group, jobName, event, name, value)
    if unseen > 1 then
      unseen = unseen - 2
      return
    end
    write("added", id, group, "name", jobName)
    write(event, id, group, name, value)
  end

  -- Leaves out the events of the first jobs that no reader would see. Returns how many jobs these are.
  local function skip()
    local jobs = math.floor(unseen / 2)
    unseen = unseen - 2 * jobs
    return jobs
  end

  return write, writeStored, skip
end
