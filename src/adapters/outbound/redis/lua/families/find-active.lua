-- Returns 1 if any of some jobs is active, else 0.
--
-- REST: of each job the key prefix of its queue and its id
--- @include "attempts/active"

for index = REST, #ARGV, 2 do
  if isActive(ARGV[index], ARGV[index + 1]) then return 1 end
end
return 0
