-- Notes the last job of a scheduler that a caller had it make. Returns nothing of use.
--
-- run: when, and the id of the job, with a colon between them

local record = schedulers .. ":" .. id
if rcall("HEXISTS", record, "ic") == 1 then rcall("HSET", record, RUN_BY_HAND, run) end
