-- The steps of a job that starts, as HGETALL has them; nothing for none, and for more than a run may read.
--
-- text: what is known of them, if anything; saved: the same list, if the run has it by now
local function fewSteps(job, text, saved)
  local count, bytes = string.match(text or "", "^%d+:(%d+):(%d+):")
  return count and count * STEP_READ + bytes <= FEW_STEPS and (saved or rcall("HGETALL", job .. STEP_VALUES)) or nil
end
