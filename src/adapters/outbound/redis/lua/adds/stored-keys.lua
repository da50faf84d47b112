-- Writes keys. Of each the arguments are its name, the command that writes it, the number of further arguments, and
-- these. Returns their names.
local function storeKeys(from, to)
  local keys, index = {}, from
  while index <= to do
    local key, command, last = ARGV[index], ARGV[index + 1], index + 2 + tonumber(ARGV[index + 2])
    rcall(command, key, unpack(ARGV, index + 3, last))
    keys[#keys + 1], index = key, last + 1
  end
  return keys
end
