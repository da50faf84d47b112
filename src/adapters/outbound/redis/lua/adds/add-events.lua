--- @include "events/job-event"

-- Returns a function that writes an event, one that writes those of a job that is added, and one that leaves out the
-- events of the first jobs and returns how many; for a run that is to write at least `toCome` of them and trims the
-- stream at its end. Events that later ones of the run would push out are never seen, so they are not written. All
-- before them are pushed out, too, and go at once, so that nobody takes what is left of them for the ones right before.
local function addEvents(events, maxEvents, toCome)
  local unseen = math.max(0, toCome - tonumber(maxEvents))
  if unseen > 0 then rcall("XTRIM", events, "MAXLEN", 0) end

  local function write(event, id, group, ...)
    if unseen > 0 then
      unseen = unseen - 1
    elseif group then
      groupEvent(events, nil, group, event, id, ...)
    else
      rcall("XADD", events, "*", "event", event, "jobId", id, ...)
    end
  end

  -- The job waits for its children, or until it is due, or for a consumer.
  local function writeAdded(id, name, group, due, isParent)
    if unseen > 1 then
      unseen = unseen - 2
      return
    end
    write("added", id, group, "name", name)
    if isParent then write("waiting-children", id, group)
    elseif due then write("delayed", id, group, "delay", due)
    else write("waiting", id, group) end
  end

  local function skip()
    local jobs = math.floor(unseen / 2)
    unseen = unseen - 2 * jobs
    return jobs
  end

  return write, writeAdded, skip
end
