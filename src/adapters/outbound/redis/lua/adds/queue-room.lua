-- Whether a queue has no room for so many more waiting jobs. `most` is how many may wait, or nothing for any number.
local function isQueueFull(base, most, toWait)
  return most and toWait > 0 and rcall("LLEN", base .. "wait") + rcall("ZCARD", base .. "prioritized") +
    rcall("ZCARD", base .. GROUP_WAITING) + toWait > most
end
