-- In TypeScript: domain/transitions/finish
--- @include "families/callers-time"
--- @include "events/event-text"
--- @include "attempts/keeping"
--- @include "events/own-ended"

local saying

-- What hooks and callbacks get. The definitions cost nothing in a run without any.
local function sayEnd(queue, id, said, options)
  if not saying then
    --- @include "events/say-ended"
    saying = sayEnded
  end
  saying(queue, id, said, options)
end

-- Ends a job for good that no list and no set of its queue holds any more: its deduplication, its parent, whether it is
-- kept, and the event. It is the same for every ending: of a call, by a report, by a cancellation, of its time to
-- start.
-- Returns whether the job is kept: then the run writes its ending to the hash, and calls `keepEnded` after its last
-- job.
--
-- target: "completed" or "failed", value: what it returned or why it failed, record: its fields parentKey, parent, deid
-- and opts, ofWorker: the retention unless the job has its own, prev: its state before, made: how many attempts were
-- made, call: the record of the last one, if any, event: "job." and how it ended where `target` does not say it, group:
-- that of the job, or false; it is looked up unless it is given, deadLetters: the queue that gets a copy of the job in
-- place of its callback, if any.
local function finish(queue, id, target, value, record, ofWorker, prev, made, call, event, group, deadLetters)
  callersTime = queue.timestamp
  local job = queue.prefix .. id
  if group == nil then group = queue.isGrouped and rcall("HGET", job, GROUP) end
  local parentKey, parentJson, deduplicationId = record[1], record[2], record[3]
  if parentKey == "" then parentKey = false end
  if deduplicationId then library().endDeduplication(queue, deduplicationId, id) end
  if parentKey or parentJson then
    library().endChild(job, target, value, parentKey, parentJson, queue.timestamp)
  end
  if queue.hooks ~= "" or deadLetters or string.find(record[4] or "", '"callback":', 1, true) then
    local said = {event = event or "job." .. target, value = value, parent = parentJson, group = group, made = made,
      call = call, deadLetters = deadLetters}
    sayEnd(queue, id, said, record[4])
  end
  if string.find(queue.prefix, OWN_KEY, 1, true) then ownEnded(queue.prefix, id, queue.timestamp) end
  local rule = retention(record[4], target, ofWorker)
  local isKept = rule.count ~= 0
  if isKept then
    keep(queue, target, id, rule)
  else
    rcall("DEL", job, job .. ":logs", job .. ":dependencies", job .. ":processed", job .. ":failed",
      job .. ":unsuccessful", job .. STEP_VALUES)
    -- BullMQ has the parent of a job that is not kept forget it.
    if parentKey then library().forgetChild(job, false, parentKey) end
  end
  local field, text = "returnvalue"
  if target == "completed" then text = eventValue(value) else field, text = "failedReason", eventText(value) end
  if group then
    rcall("XADD", queue.events, "*", "event", target, "jobId", id, field, text, "prev", prev, "group", group)
  else
    rcall("XADD", queue.events, "*", "event", target, "jobId", id, field, text, "prev", prev)
  end
  return isKept
end
