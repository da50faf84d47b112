-- Stores a part of a large add or flow, and in the same run lists the keys, so that none is ever left that is not found
-- (adds/discard-staged). Returns 1, or 0 when the add is to be discarded: then nothing is stored.
--
-- REST: of each key its name, the command that writes it, the number of further arguments, and these

local began = rcall("ZSCORE", stagedAdds, name)
if not began or began == "0" then return 0 end
local keys, index = {}, REST
while index <= #ARGV do
  local key, command, last = ARGV[index], ARGV[index + 1], index + 2 + tonumber(ARGV[index + 2])
  rcall(command, key, unpack(ARGV, index + 3, last))
  keys[#keys + 1], index = key, last + 1
end
rcall("RPUSH", list, unpack(keys))
return 1
