-- Takes a part of a quota. Returns how much, how much is left and in how many milliseconds the quota is whole again.
--
-- KEYS[1] how much of it is leased out
--
-- ARGV[1] how much is wanted
-- ARGV[2] how much of that is needed: less is of no use
-- ARGV[3] how much there is
-- ARGV[4] milliseconds after which it is whole again, from the first lease on

local leased = KEYS[1]
local wanted, needed, max, duration = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
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
