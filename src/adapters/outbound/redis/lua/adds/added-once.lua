-- Returns what is known of the key of an add, as adds/recalled-add has it, or "lost" when its holder lost its job; a
-- function that remembers the add, given its time, the number of its first job and the jobs that existed; and the
-- record of the key. For an add without a key there is nothing to know or to remember.
--
-- base: the prefix of the queue that remembers it
-- remembered: as JSON its key, body (both digests) and defaults, and its holder if it has one; empty without a key
local function addedOnce(base, remembered)
  if remembered == "" then return nil, function() end end
  --- @include "adds/lost-holder"
  --- @include "adds/recalled-add"
  --- @include "adds/remembered-add"
  local identity, records = cjson.decode(remembered), base .. REMEMBERED
  if identity.holder and isLost(identity.holder) then return {"lost"} end
  local record = records .. "-" .. identity.key
  rcall("LLEN", records)
  return recall(record, identity.body), function(...)
    remember(record, records, identity.body, identity.defaults, ...)
  end, record
end
