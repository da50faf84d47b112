-- Finds the job of a claim that never got its answer. Returns its hash and id as a claim does, or nothing.
--- @include "attempts/holds"
--- @include "attempts/parent-mark"

for _, id in ipairs(rcall("LRANGE", active, 0, -1)) do
  local job = prefix .. id
  if holds(job, id, active, token) then
    local record = redis.pcall("HGETALL", job)
    if not record["err"] then return {markedParent(job, id, record), id} end
  end
end
return false
