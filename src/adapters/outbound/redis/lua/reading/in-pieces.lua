-- Writes many values of one key with few commands: those of a list, or of a part of it.
local function inPieces(command, key, values, first, last)
  last = last or #values
  for from = first or 1, last, 2 * AT_ONCE do
    rcall(command, key, unpack(values, from, math.min(from + 2 * AT_ONCE - 1, last)))
  end
end
