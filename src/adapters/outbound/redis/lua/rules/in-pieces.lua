-- How many values one command writes: Lua has no room for many thousand arguments.
local VALUES_AT_ONCE = 2000

-- Writes many values of one key with few commands: those of a list, or of a part of it.
local function inPieces(command, key, values, first, last)
  last = last or #values
  for from = first or 1, last, VALUES_AT_ONCE do
    rcall(command, key, unpack(values, from, math.min(from + VALUES_AT_ONCE - 1, last)))
  end
end
