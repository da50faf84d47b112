-- Why the jobs of a batch are not stored, as what the script returns: too many jobs would wait, or too many of a group.
-- Nothing when there is room for all of them.
--
-- batch: first and fields (where its arguments begin, and how many of them a job has), bytes (of the jobs that exist,
-- by id), deduplications, wouldStore, maxWaiting and maxOfGroup (nothing for any number), hasGroups (whether it has
-- jobs of groups)
local function refusalOf(batch, prefix, wait, prioritized, isGrouped)
  local first, fields, bytes = batch.first, batch.fields, batch.bytes
  if batch.maxWaiting then
    --- @include "adds/batch-waiting"
    local toWait = waitingOfBatch(first, fields, bytes, batch.deduplications, batch.wouldStore)
    local ofGroups = isGrouped and rcall("ZCARD", prefix .. GROUP_WAITING) or 0
    local waiting = rcall("LLEN", wait) + rcall("ZCARD", prioritized) + ofGroups
    if toWait > 0 and waiting + toWait > batch.maxWaiting then return FULL end
  end
  if not batch.hasGroups then return nil end
  --- @include "groups/group-room"
  local addTo = roomOfGroups(prefix, batch.maxOfGroup)
  for index = addTo and first or math.huge, #ARGV, fields do
    local delay, _, _, id, _, _, group = placeOf(ARGV[index])
    local full = group and delay == "0" and not bytes[id] and addTo(group)
    if full then return {GROUP_FULL, (index - first) / fields, full} end
  end
end
