-- Finds overdue accepted jobs. Those that it returns are not checked again for a while, so that other jobs get their
-- turn, and another replica takes over should this one die. Jobs with ended attempts are removed. Returns for each its
-- id, the token, how many ms it had, and the hash.
--
-- later: when the returned ones are checked again, epoch ms

--- @include "attempts/accepted"
--- @include "reading/without-record"

-- Most jobs that one search returns, and characters of their data after which it returns no more.
local MOST_OVERDUE, MOST_CHARACTERS = 50, 1048576

rcall("ZREM", accepted, "")
local overdue, characters = {}, 0
for _, id in ipairs(rcall("ZRANGEBYSCORE", accepted, "-inf", now, "LIMIT", 0, MOST_OVERDUE)) do
  if characters > MOST_CHARACTERS then break end
  local token, since, ends = string.match(rcall("HGET", acceptances, id) or "", "^([^:]+):(%d+):(%d+)$")
  local record = token and holds(prefix .. id, id, active, token) and redis.pcall("HGETALL", prefix .. id)
  if record and not record["err"] and #record > 0 then
    rcall("ZADD", accepted, later, id)
    for _, text in ipairs(record) do characters = characters + #text end
    overdue[#overdue + 1] = {id, token, string.format("%.0f", ends - since), withoutRecord(record)}
  else
    rcall("ZREM", accepted, id)
    rcall("HDEL", acceptances, id)
  end
end
registerAccepted(acceptedQueues, accepted, queue)
return overdue
