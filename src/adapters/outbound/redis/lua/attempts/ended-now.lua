-- In TypeScript: domain/steps/suspension
--- @include "reading/decoded"

-- What a job awaits, as JSON, with its sleeps over at a time, and its waits for signals as at their timeouts.
local function endingAt(text, at)
  local suspension = decoded(text)
  for _, wait in ipairs(suspension.waits or {}) do wait["until"] = math.min(at, NEVER) end
  return cjson.encode(suspension)
end

-- What a job awaited, as JSON, with its sleeps over now, and its waits for signals as at their timeouts.
local function endedNow(text, now)
  local suspension = decoded(text)
  for _, wait in ipairs(suspension.waits or {}) do wait["until"] = math.min(wait["until"] or now, now) end
  return cjson.encode(suspension)
end
