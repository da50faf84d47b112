--- @include "attempts/holds"
--- @include "limits/leave-limits"

-- Whether the job of a call under a limit still runs, or its call does.
local function stillRuns(prefix, token)
  local id = string.match(rcall("HGET", prefix .. LIMITED, token) or "", "^%S+ (.*)$")
  if not id then return false end
  local ends = tonumber(rcall("ZSCORE", prefix .. GATE_ENDING, token) or "")
  return ends and ends > storeTime() or holds(prefix .. id, id, prefix .. "active", token)
end

-- Native clients take jobs, and remove them, without leaving their limits; calls of cancelled jobs end with their
-- replica; queues are removed. Each check looks at some of the jobs of a full limit, from where the last one ended.
local function checkLimit(root, name)
  local checked, jobs = root .. LIMIT_CHECKED .. name, root .. LIMIT_JOBS .. name
  local last = rcall("GET", checked)
  if last and rcall("PTTL", checked) > CHECKS_KEPT - CHECKS_APART then return end
  local found = rcall("ZRANGEBYLEX", jobs, last and "(" .. last or "-", "+", "LIMIT", 0, MOST_CHECKED)
  for _, member in ipairs(found) do
    local queue, token = string.match(member, "^(.*):(.*)$")
    local prefix = string.sub(root, 1, -#OWN_KEY - 1) .. ":" .. queue .. ":"
    if not stillRuns(prefix, token) then
      leaveLimits(prefix, token)
      leaveLimit(root, name, queue, token)
    end
  end
  rcall("SET", checked, #found == MOST_CHECKED and found[#found] or "", "PX", CHECKS_KEPT)
end
