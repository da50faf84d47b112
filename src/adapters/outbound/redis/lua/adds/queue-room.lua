-- In TypeScript: domain/transitions/add-to-queues
-- How many of so many more waiting jobs a queue has no room for. `most` is how many may wait, or nothing for any
-- number.
local function tooManyIn(base, most, toWait)
  if not most or toWait == 0 then return 0 end
  return math.max(0, rcall("LLEN", base .. "wait") + rcall("ZCARD", base .. "prioritized") +
    rcall("ZCARD", base .. GROUP_WAITING) + toWait - most)
end

-- The refusal of an add to queues: of each queue in which too many jobs would wait its number and the jobs in excess,
-- and of each job whose group is full its position and how many of the group wait before it. Nothing where all have
-- room.
local function refusalOf(excess, full)
  if #excess + #full > 0 then return {"full", excess, full} end
end
