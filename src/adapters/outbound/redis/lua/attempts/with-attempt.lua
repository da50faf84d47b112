-- The recorded attempts of a job, if any, and one more. `rest` is what `endedCall` writes. A deferred attempt is
-- repeated under the same number, and so is one that suspended the job.
--
-- steps: what is known of the steps of the job, if it has some; attempt: its field ATTEMPT, which tells who saved them
local function withAttempt(recorded, startedAt, endedAt, rest, steps, attempt)
  if steps then
    --- @include "attempts/with-saved"
    rest = withSaved(rest, steps, string.match(attempt or "", ":(.*)$"))
  end
  if not tonumber(startedAt) then startedAt = endedAt end
  local number = "1"
  if recorded then
    -- Without patterns, which would go through all lines by their characters.
    local others, start, at = 0, 1, string.find(recorded, "\n", 1, true)
    while at do others, start, at = others + 1, at + 1, string.find(recorded, "\n", at + 1, true) end
    local last, code = string.match(recorded, '^%[(%d+),[^,]*,[^,]*,"(%a)"', start)
    number = (tonumber(last) or 0) + ((code == OUTCOME_DEFERRED or code == OUTCOME_SUSPENDED) and 0 or 1)
    if others >= KEPT_ATTEMPTS - 1 then recorded = string.sub(recorded, string.find(recorded, "\n", 1, true) + 1) end
  end
  local line = "[" .. number .. "," .. startedAt .. "," .. math.max(0, endedAt - startedAt) .. "," .. rest
  return recorded and recorded .. "\n" .. line or line
end
