-- Removes the sign of a gate when nothing needs it any more.
local function leaveGate(prefix)
  if rcall("EXISTS", prefix .. GATE, prefix .. GATE_STARTED, prefix .. GATE_ENDING) == 0 then
    rcall("HDEL", prefix .. "meta", GATED)
  end
end

-- Sets the sign of a gate. Keys without it are those of a queue of the same name that is gone.
local function enterGate(prefix)
  if rcall("HSETNX", prefix .. "meta", GATED, 1) == 1 then
    rcall("DEL", prefix .. GATE, prefix .. GATE_STARTED, prefix .. GATE_RETURNED,
      prefix .. GATE_ENDING)
  end
end
