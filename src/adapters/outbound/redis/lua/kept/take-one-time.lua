-- Takes a secret, which can be used once. Returns its content, or nothing.

local content = rcall("GET", secret)
rcall("DEL", secret)
return content
