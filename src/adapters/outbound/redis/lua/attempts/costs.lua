-- What the starts of the jobs of a queue count in limiters. A queue that never had a start which counts other than 1
-- pays one look for all jobs of a run.
local function costsOf(prefix)
  local self, areThere = {}, nil

  -- Whether the queue never had such starts.
  function self.isPlain()
    if areThere == nil then areThere = rcall("HEXISTS", prefix .. "meta", COSTED) == 1 end
    return not areThere
  end

  -- Of the job of that id.
  function self.of(id)
    return id and not self.isPlain() and tonumber(rcall("HGET", prefix .. id, COST) or "") or 1
  end

  return self
end
