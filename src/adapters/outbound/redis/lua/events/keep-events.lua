-- How many events a queue keeps, which is the default from then on unless its metadata says otherwise.
local function keepEvents(meta)
  if rcall("HSETNX", meta, "opts.maxLenEvents", EVENTS_KEPT) == 1 then return EVENTS_KEPT end
  return rcall("HGET", meta, "opts.maxLenEvents")
end
