-- Whether the deadline (epoch ms of the store) of a run is over: its caller has given up, so it must change nothing.
local function cameLate(deadline)
  local time = rcall("TIME")
  return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 > tonumber(deadline)
end
