--- @include "groups/group-jobs"
--- @include "groups/group-terms"

-- Returns a function that counts one more job of a group, and returns how many of the group come before that one when
-- there is no room for it, else nothing. Returns nothing when every group has room.
--
-- ofAll: how many jobs of a group may wait unless its settings say otherwise, or nothing; mayWait: whether a job of a
-- group may wait, where that is known
local function roomOfGroups(prefix, ofAll, mayWait)
  if not ofAll and rcall("EXISTS", prefix .. GROUP_SETTINGS) == 0 then return nil end
  local terms = groupTerms(prefix, ofAll and cjson.encode({maxWaiting = ofAll}) or nil)
  local waiting, toWait, most = {}, {}, {}
  local countOf = waitingInGroups(prefix)
  return function(group)
    if not waiting[group] then
      waiting[group] = (not mayWait or mayWait(group)) and countOf(group) or 0
      toWait[group], most[group] = 0, terms.of(group).maxWaiting or math.huge
    end
    local before = waiting[group] + toWait[group]
    if before + 1 > most[group] then return before end
    toWait[group] = toWait[group] + 1
  end
end
