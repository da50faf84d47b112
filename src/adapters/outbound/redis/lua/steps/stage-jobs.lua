-- Stores a part of a large add or flow, and in the same run lists the keys, so that none is ever left that is not found
-- (steps/discard-staged). Returns 1, or 0 when the add is to be discarded: then nothing is stored.
--
-- KEYS[1] register of staged adds
-- KEYS[2] list of the keys that the add has staged
--
-- ARGV[1] name of the add
-- ARGV[2…] of each key its name, the command that writes it, the number of further arguments, and these
local register, list, name = KEYS[1], KEYS[2], ARGV[1]
local began = rcall("ZSCORE", register, name)
if not began or began == "0" then return 0 end
local keys, index = {}, 2
while index <= #ARGV do
  local key, command, last = ARGV[index], ARGV[index + 1], index + 2 + tonumber(ARGV[index + 2])
  rcall(command, key, unpack(ARGV, index + 3, last))
  keys[#keys + 1], index = key, last + 1
end
rcall("RPUSH", list, unpack(keys))
return 1
