-- Lists a change of a record. The field without a name counts them, for replicas of the version
-- before: these read all records again where the count is not that of the latest entry.
local function listChange(records, changes, id)
  local count = rcall("HINCRBY", records, "", 1)
  rcall("XADD", changes, "MAXLEN", "~", KNOWN_CHANGES, "*", "count", count, "id", id)
end
