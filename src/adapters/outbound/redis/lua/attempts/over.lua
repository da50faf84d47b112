-- In TypeScript: domain/transitions/steps, domain/steps/suspension
--- @include "attempts/steps"

-- Whether a sleep or a wait for a signal is over at a time.
local function isOver(wait, now)
  return wait.kind ~= "jobs" and wait["until"] and wait["until"] <= now
end

-- Saves what such a wait brought that is over, or is to be over now: when a sleep ended, and null for a signal that did
-- not come. Those that came are steps by now.
local function saveEnd(steps, wait, now)
  local at = math.min(wait["until"] or now, now)
  local value = wait.kind == "sleep" and string.format("%.0f", at) or "null"
  countStep(steps, wait.name, #value)
  putStep(steps, wait.name, wait.kind == "sleep" and STEP_OF_SLEEP or STEP_OF_SIGNAL, at, value)
end
