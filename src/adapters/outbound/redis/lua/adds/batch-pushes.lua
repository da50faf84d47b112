-- Returns a function that pushes an id to the tail of the waiting list or, for `lifo` "1", to its head, and one that
-- pushes those that are left: ids that go to the same end go together.
local function batchPushes(wait)
  local pushed, pushedLifo = {}, "0"
  local function pushRest()
    if #pushed == 0 then return end
    if pushedLifo == "1" then rcall("RPUSH", wait, unpack(pushed)) else rcall("LPUSH", wait, unpack(pushed)) end
    pushed = {}
  end
  return function(id, lifo)
    if lifo ~= pushedLifo or #pushed == AT_ONCE then pushRest() end
    pushedLifo = lifo
    pushed[#pushed + 1] = id
  end, pushRest
end
