-- Returns a function that writes an event, for a run that is to write `toCome` of them. Events that later ones of the
-- run would push out are never seen, so they are not written. All before them are pushed out, too, and go at once, so
-- that nobody takes what is left of them for the ones right before.
local function batchEvents(events, maxEvents, toCome)
  local unseen = toCome - tonumber(maxEvents)
  if unseen > 0 then rcall("XTRIM", events, "MAXLEN", 0) end
  return function(event, id, field, value, group)
    if unseen > 0 then
      unseen = unseen - 1
    elseif group and field then
      rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, field, value, "group", group)
    elseif group then
      rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, "group", group)
    elseif field then
      rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id, field, value)
    else
      rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", event, "jobId", id)
    end
  end
end
