--- @include "rules/library"
--- @include "rules/retention"

-- The jobs of the run that ended, by their target, before they are kept: under one rule, with their scores.
local ended = {completed = {rule = {}, scores = {}}, failed = {rule = {}, scores = {}}}

local function keepThose(queue, target)
  local set, rule = queue[target], ended[target].rule
  rcall("ZADD", set, unpack(ended[target].scores))
  ended[target].scores = {}
  if rule.age then
    library().removeOlder(queue.timestamp, rule.age, set, queue.prefix, rule.limit or MOST_REMOVED_FOR_AGE)
  end
  if rule.count and rule.count > 0 then library().removeBeyond(rule.count, set, queue.prefix) end
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
