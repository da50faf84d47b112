-- Which groups changed since the demand of their queue was looked at: part of groups/group-places, which includes it.

-- Most groups that are noted. Beyond it, the next look examines all groups again.
local MOST_NOTED = 20000

-- By the prefix of its queue, where that is known.
local noted = {}

-- Whether the demand of the queue is looked at, so that changes have to be noted.
function self.areChangesNoted(prefix)
  if noted[prefix] == nil then
    local count = rcall("ZCARD", prefix .. GROUP_CHANGED)
    if count > MOST_NOTED then rcall("UNLINK", prefix .. GROUP_CHANGED) end
    noted[prefix] = count > 0 and count <= MOST_NOTED
  end
  return noted[prefix]
end

-- More or fewer jobs of a group wait, run or may start than before.
function self.noteChanged(prefix, group)
  if group ~= "" and self.areChangesNoted(prefix) then rcall("ZADD", prefix .. GROUP_CHANGED, 0, group) end
end
