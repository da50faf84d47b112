-- How far it looks at first, where jobs are that were brought together.
local NEAR = 3000

-- Returns the end of the lists of waiting jobs, as LREM and LPOS count from it, from which a job is found soonest: -1
-- is where jobs are taken. Returns nothing when the job is deeper in a long list than `reach`. Waiting jobs are in two
-- lists where an older BullMQ paused the queue.
local function endNearTo(prefix, id, reach)
  if rcall("HEXISTS", prefix .. id, GROUP) == 1 then return -1 end
  local isAnyLong = false
  for _, list in ipairs({prefix .. "wait", prefix .. "paused"}) do
    if rcall("LLEN", list) > reach then
      isAnyLong = true
      for _, most in ipairs({NEAR, reach}) do
        for _, rank in ipairs({-1, 1}) do
          if rcall("LPOS", list, id, "RANK", rank, "MAXLEN", most) then return rank end
        end
      end
    end
  end
  if not isAnyLong then return -1 end
end
