-- The job that is staged for native workers: part of groups/group-places, which includes it.

-- How far from the end where jobs are taken a staged job may be, when native clients put others ahead of it.
local MOST_AHEAD_OF_STAGED = 100

-- The job that is staged for native workers and its group, as long as none of them has taken it; or nothing.
function self.stagedJob(prefix)
  local staged = rcall("HMGET", prefix .. GROUP_TURNS, "n", "m")
  local id, group = staged[1], staged[2] and string.sub(staged[2], 15)
  if not id then return nil end
  if rcall("LPOS", prefix .. "wait", id, "RANK", -1, "MAXLEN", MOST_AHEAD_OF_STAGED) or
      group == "" and rcall("ZSCORE", prefix .. "prioritized", id) then return id, group end
end

-- A staged job is staged no more. One of a group is out of any place from then on.
local function unstage(prefix, id, group)
  rcall("HDEL", prefix .. GROUP_TURNS, "n", "m")
  if group == "" then return end
  rcall("LREM", prefix .. "wait", -1, id)
  rcall("HDEL", prefix .. GROUP_RUNNING, id)
  self.noteChanged(prefix, group)
end

-- A staged job of a group waits in its group again.
function self.putStagedBack(prefix, id, group)
  unstage(prefix, id, group)
  if group ~= "" then
    rcall("ZADD", prefix .. GROUP_WAITING, 0, memberOf(group, rcall("HGET", prefix .. id, GROUP_ORDER), id))
  end
end

-- The same of a group of which no job may start.
function self.unstageGroup(prefix, group)
  local id, ofGroup = self.stagedJob(prefix)
  if id and ofGroup == group then self.putStagedBack(prefix, id, group) end
end
