-- The steps of a job that starts, as HGETALL has them; nothing for none, and for more than a run may read.
--
-- text: what is known of them, if anything
local function fewSteps(job, text)
  local count, bytes = string.match(text or "", "^%d+:(%d+):(%d+):")
  return count and count * STEP_READ + bytes <= FEW_STEPS and rcall("HGETALL", job .. STEP_VALUES) or nil
end
