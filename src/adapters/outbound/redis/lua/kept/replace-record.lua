-- Replaces one of several records that are kept together, and creates the queue that it is about unless that is there.
-- Returns 1, 0 when the record has changed since it was read, -1 when it would be one too many, or -2 when its folder
-- would be. In place of keys of a queue, of folders or of changes is that of the records where these have none.

--- @include "adds/created-queue"
--- @include "kept/listed-change"

if (rcall("HGET", records, id) or "") ~= before then return 0 end
if before == "" then
  local count = (most or mostFolders) and rcall("HLEN", records)
  -- One of the fields counts the changes.
  if changes ~= records then count = count - 1 end
  if most and count >= most then return -1 end
  if mostFolders then
    if count == 0 and rcall("SCARD", folders) >= mostFolders then return -2 end
    rcall("SADD", folders, folder)
  end
end
rcall("HSET", records, id, record)
if meta ~= records then createQueue(registry, meta) end
if changes ~= records then listChange(records, changes, id) end
return 1
