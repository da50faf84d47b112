-- What the record of an add's key says of an add of that body, or nothing when the key is unknown: "other" for another
-- body, "running" while the add stores its jobs in several runs, or "repeated", its time, the number of its first job,
-- the jobs that existed, and its defaults.
local function recall(record, body)
  local known = rcall("GET", record)
  if not known then return nil end
  local timestamp, text = string.match(known, "^(%d*):(.*)$")
  local add = cjson.decode(text)
  if add[1] ~= body then return {"other"} end
  if timestamp == "" then return {"running"} end
  return {"repeated", timestamp, add[2], add[3], add[4]}
end
