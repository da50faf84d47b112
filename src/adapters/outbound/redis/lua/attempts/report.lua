-- Remembers the report on an attempt, and removes its acceptance. Its first write takes no memory.
local function rememberReport(memory, accepted, acceptances, report, jobId)
  if rcall("ZREM", accepted, jobId) == 1 then rcall("HDEL", acceptances, jobId) end
  rcall("SET", memory, report, "PX", REPORT_MEMORY)
end
