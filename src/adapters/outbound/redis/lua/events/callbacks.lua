-- In TypeScript: domain/transitions/callbacks
--- @include "adds/add-following"

-- The calls that follow the jobs of a queue are bounded (domain/transitions/callbacks). Those beyond are held back:
-- they wait in a queue of which nothing is claimed, and are made in order as others end.
--
-- root: the part of a key before the name of a queue, now: epoch ms.
local function callsOf(root, now)
  local self, unsent, heldBack = {}, root .. CALLS_UNSENT, root .. HELD_BACK

  local function make(id, name, data, url)
    local prefix, options = root .. CALLBACK_QUEUE .. ":", cjson.decode(DELIVERY_OPTIONS)
    options.group = {id = string.match(url, "^%a+://[^/?#]+") or ""}
    addFollowing(prefix, id, name, data, options, now, EVENTS_KEPT)
  end

  local function makeHeld(queue)
    local held = root .. OF_HELD .. queue .. ":"
    for _ = 1, MADE_FOR_ONE do
      if (tonumber(rcall("HGET", unsent, queue)) or 0) >= MOST_CALLBACKS then return end
      local id = rcall("RPOP", held .. "wait")
      if rcall("EXISTS", held .. "wait") == 0 then rcall("SREM", heldBack, queue) end
      if not id then return end
      local fields = rcall("HMGET", held .. id, "name", "data")
      rcall("DEL", held .. id)
      rcall("HINCRBY", unsent, queue, 1)
      make(id, fields[1], fields[2], cjson.decode(fields[2]).callback.url)
    end
  end

  function self.add(queue, id, name, data, url)
    if rcall("SISMEMBER", heldBack, queue) == 1 then makeHeld(queue) end
    if rcall("SISMEMBER", heldBack, queue) == 0 then
      if rcall("HINCRBY", unsent, queue, 1) <= MOST_CALLBACKS then
        make(id, name, data, url)
        return
      end
      rcall("HINCRBY", unsent, queue, -1)
    end
    local held = root .. OF_HELD .. queue .. ":"
    writeJob(held .. id, name, data, DELIVERY_OPTIONS, now, 0, 0)
    rcall("LPUSH", held .. "wait", id)
    rcall("SADD", heldBack, queue)
  end

  -- A call ended for good, or was removed before it did.
  function self.ended(id)
    local queue = string.match(id, "^[^:]+")
    if rcall("HINCRBY", unsent, queue, -1) <= 0 then rcall("HDEL", unsent, queue) end
    if rcall("SISMEMBER", heldBack, queue) == 1 then makeHeld(queue) end
  end

  return self
end
