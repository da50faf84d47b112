--- @include "rules/group-terms"

-- Finds the first job of a batch that its group has no room for. Returns its number from 0 and how many jobs of the group
-- wait; nothing when there is room for all. `bytes` has the ids that exist, `ofAll` is how many jobs of a group may wait.
local function fullGroup(prefix, first, fields, bytes, ofAll)
  local hasSettings = rcall("EXISTS", prefix .. GROUP_SETTINGS) == 1
  if not ofAll and not hasSettings then return nil end
  local terms = groupTerms(prefix, ofAll and cjson.encode({maxWaiting = ofAll}) or nil)
  local waiting, toWait, most = {}, {}, {}
  local _, ofStaged = stagedJob(prefix)
  for index = first, #ARGV, fields do
    local delay, _, _, id, _, _, group = placeOf(ARGV[index])
    if group and delay == "0" and not bytes[id] then
      if not waiting[group] then
        waiting[group] = rcall("ZLEXCOUNT", prefix .. GROUP_WAITING, "[" .. group .. "\0", "[" .. group .. "\0:") +
          (group == ofStaged and 1 or 0)
        toWait[group], most[group] = 0, terms.of(group).maxWaiting or math.huge
      end
      toWait[group] = toWait[group] + 1
      if waiting[group] + toWait[group] > most[group] then return (index - first) / fields, waiting[group] end
    end
  end
end
