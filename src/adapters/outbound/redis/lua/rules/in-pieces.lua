-- How many values one command writes: Lua has no room for many thousand arguments.
local VALUES_AT_ONCE = 2000

-- Writes many values of one key with few commands.
local function inPieces(command, key, values)
  for first = 1, #values, VALUES_AT_ONCE do
    rcall(command, key, unpack(values, first, math.min(first + VALUES_AT_ONCE - 1, #values)))
  end
end
