-- Takes a part of a quota. Returns how much, how much is left and in how many milliseconds the quota is whole again.
--
-- leased: how much of it is leased out
-- needed: the least of it that is of use
-- max: how much there is
-- duration: milliseconds after which it is whole again, from the first lease on

local used = tonumber(rcall("GET", leased) or 0)
local granted = math.min(wanted, max - used)
if granted < needed then granted = 0 end
if granted > 0 then rcall("INCRBY", leased, granted) end
local endsIn = rcall("PTTL", leased)
if endsIn < 0 then
  rcall("PEXPIRE", leased, duration)
  endsIn = duration
end
return {granted, max - used - granted, endsIn}
