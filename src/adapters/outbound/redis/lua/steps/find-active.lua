-- Returns 1 if any of some jobs is active, else 0.
--
-- KEYS[1] any key of their slot
--
-- ARGV[1…] of each job the key prefix of its queue and its id
--- @include "rules/active"

for index = 1, #ARGV, 2 do
  if isActive(ARGV[index], ARGV[index + 1]) then return 1 end
end
return 0
