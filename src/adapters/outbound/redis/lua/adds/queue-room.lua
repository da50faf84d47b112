-- In TypeScript: domain/transitions/add-to-queues
-- How many of so many more waiting jobs a queue has no room for. `most` is how many may wait, or nothing for any
-- number.
local function tooManyIn(base, most, toWait)
  if not most or toWait == 0 then return 0 end
  return math.max(0, rcall("LLEN", base .. "wait") + rcall("ZCARD", base .. "prioritized") +
    rcall("ZCARD", base .. GROUP_WAITING) + toWait - most)
end

-- The refusal of an add to queues: the bound of the first queue in which too many jobs would wait, or the first job
-- whose group is full, and how many of the group wait before it; then of all queues by number the jobs in excess, and
-- of all jobs whose groups are full their positions, and how many wait before each. Nothing where all have room.
local function refusalOf(queues, excess, full)
  local fullQueue, fullJob = excess[1], full[1]
  if fullQueue then return {"full", queues[fullQueue[1]].maxWaiting, excess, full} end
  if fullJob then return {"group", fullJob[1], fullJob[2], excess, full} end
end
