-- The time on the store's own clock, which counts for all replicas, in epoch ms.
local function storeTime()
  local time = rcall("TIME")
  return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end
