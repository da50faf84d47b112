-- In TypeScript: domain/transitions/shared-limits
--- @include "limits/offer-room"

-- A job no longer runs under a limit. Its call does as long as another job of it runs.
local function leaveLimit(root, name, queue, token)
  if rcall("ZREM", root .. LIMIT_JOBS .. name, queue .. ":" .. token) == 0 then return end
  local call = queue .. ":" .. string.sub(token, 1, BATCH_ID_LENGTH)
  local jobs = rcall("ZRANGEBYLEX", root .. LIMIT_JOBS .. name, "[" .. call, "(" .. call .. "\127", "LIMIT", 0, 1)
  if #jobs > 0 then return end
  rcall("ZREM", root .. LIMIT_CALLS .. name, call)
  freeLimit(name, true)
end

-- The attempt with the token no longer holds its job, or its call is over.
local function leaveLimits(prefix, token)
  local held, root, queue = rcall("HGET", prefix .. LIMITED, token), limitRoot(prefix), queueInPrefix(prefix)
  if not held then return end
  rcall("HDEL", prefix .. LIMITED, token)
  if rcall("EXISTS", prefix .. LIMITED) == 0 then rcall("HDEL", prefix .. "meta", LIMITED) end
  for name in string.gmatch(string.match(held, "^%S+"), "[^,]+") do leaveLimit(root, name, queue, token) end
end

-- The keys of the starts that the limits count under which the attempt holds its job.
--
-- isLess: whether one of them is about to count less
local function windowsUnderLimits(prefix, token, isLess)
  local windows, root = {}, limitRoot(prefix)
  local held = rcall("HGET", prefix .. LIMITED, token) or ""
  for name in string.gmatch(string.match(held, "^%S*"), "[^,]+") do
    windows[#windows + 1] = root .. LIMIT_STARTS .. name
    if isLess then freeLimit(name) end
  end
  return windows
end
