-- Keeps a job to be added once the active one of its deduplication id ends, if it asks for that. Returns whether it
-- did. BullMQ's functions call it by this name. Theirs writes the options as it encodes them anew; here `fullOpts.text`
-- is what was given, so that numbers and empty arrays remain as they were.
local function storeDeduplicatedNextJob(deduplication, activeId, prefix, deduplicationId, name, data, fullOpts, events,
    maxEvents, jobId)
  if not deduplication["keepLastIfActive"] or not activeId then return false end
  if not rcall("LPOS", prefix .. "active", activeId) then return false end
  local next = prefix .. "dn:" .. deduplicationId
  rcall("DEL", next)
  rcall("HSET", next, "name", name, "data", data, "opts", fullOpts.text, "jid", jobId)
  -- Without the key, an add while the job is active would not find it.
  rcall("PERSIST", prefix .. "de:" .. deduplicationId)
  rcall("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", "deduplicated", "jobId", activeId,
    "deduplicationId", deduplicationId, "deduplicatedJobId", jobId)
  return true
end
