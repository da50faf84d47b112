--- @include "reading/store-time"

-- Notes a start in the list of those that a limiter counts, within a window of so many ms. More go than come, so that
-- the list holds no more than one window, also after it was made shorter.
local function noteStartIn(starts, window)
  local now = storeTime()
  rcall("RPUSH", starts, string.format("%.3f", now))
  for _ = 1, 2 do
    if now - tonumber(rcall("LINDEX", starts, 0)) < window then break end
    rcall("LPOP", starts)
  end
  rcall("PEXPIRE", starts, window)
end
