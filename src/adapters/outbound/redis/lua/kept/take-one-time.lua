-- Takes a secret, which can be used once. Returns its content, or nothing.
--
-- KEYS[1] secret

local secret = KEYS[1]
local content = rcall("GET", secret)
rcall("DEL", secret)
return content
