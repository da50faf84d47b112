local calls

-- A job of the service's own ended for good, or was removed before it did: it counts no longer among those that wait.
local function ownEnded(prefix, id, now)
  if string.find(prefix, OF_HOOK, 1, true) then
    rcall("ZREM", prefix .. UNSENT, id)
  elseif string.find(prefix, CALLBACK_QUEUE, 1, true) then
    if not calls then
      --- @include "events/callbacks"
      calls = callsOf(string.match(prefix, "^[^:]+:"), now)
    end
    calls.ended(id)
  end
end
