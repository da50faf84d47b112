-- In TypeScript: domain/transitions/retain
--- @include "groups/group-places"
--- @include "attempts/library"
--- @include "attempts/retention"

-- The jobs of the run that ended, by their target, before they are kept: under one rule, with their scores.
local ended = {completed = {rule = {}, scores = {}}, failed = {rule = {}, scores = {}}}

-- Failed jobs that are to be removed block their groups no more.
local function freeGroupsOf(queue, ids)
  --- @include "groups/freed-group"
  for _, id in ipairs(ids) do
    local group = rcall("HGET", queue.prefix .. id, GROUP)
    if group then freeGroup(queue.prefix, group, id) end
  end
end

local function keepThose(queue, target)
  local set, rule, prefix = queue[target], ended[target].rule, queue.prefix
  rcall("ZADD", set, unpack(ended[target].scores))
  ended[target].scores = {}
  local mayFree = target == "failed" and queue.isGrouped and rcall("EXISTS", prefix .. GROUP_BLOCKS) == 1
  if rule.age then
    local most = rule.limit or MOST_REMOVED_FOR_AGE
    if mayFree then
      freeGroupsOf(queue, rcall("ZREVRANGEBYSCORE", set, queue.timestamp - rule.age * 1000, "-inf", "LIMIT", 0, most))
    end
    library().removeOlder(queue.timestamp, rule.age, set, prefix, most)
  end
  if rule.count and rule.count > 0 then
    if mayFree then freeGroupsOf(queue, rcall("ZREVRANGE", set, rule.count, -1)) end
    library().removeBeyond(rule.count, set, prefix)
  end
end

-- Keeps a job that ended. Jobs that end one after the other under the same rule are kept together, unless it bounds
-- how many each of them removes. The run calls `keepEnded` at last.
local function keep(queue, target, id, rule)
  local before = ended[target]
  if before.scores[1] and (rule.count ~= before.rule.count or rule.age ~= before.rule.age or rule.limit) then
    keepThose(queue, target)
  end
  before.rule = rule
  before.scores[#before.scores + 1] = queue.timestamp
  before.scores[#before.scores + 1] = id
end

local function keepEnded(queue)
  if ended.completed.scores[1] then keepThose(queue, "completed") end
  if ended.failed.scores[1] then keepThose(queue, "failed") end
end
