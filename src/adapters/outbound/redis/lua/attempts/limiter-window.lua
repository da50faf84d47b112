-- As limiterWindow has it.
local function windowOf(limiter)
  return math.ceil(limiter.duration + math.min(limiter.duration * STRETCHED_BY, LONGEST_STRETCH))
end
