-- Returns a function that writes an event, for a run that is to write at least `toCome` of them and trims the stream at
-- its end. As rules/batch-events has it, those that later ones of the run would push out are not written.
local function stagedEvents(events, maxEvents, toCome)
  local unseen = toCome - tonumber(maxEvents)
  if unseen > 0 then rcall("XTRIM", events, "MAXLEN", 0) end
  return function(event, id, group, name, value, other, otherValue)
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
end
