-- Stores a secret that can be used once. Beyond the most secrets of an owner within their life, used ones included, the
-- oldest of them ends.
--
-- secrets: keys of the secrets of the owner, by the time when they end
-- life: milliseconds until it ends
-- most: how many secrets the owner may have

--- @include "reading/store-time"

local now = storeTime()
rcall("ZREMRANGEBYSCORE", secrets, "-inf", now)
if rcall("ZCARD", secrets) >= most then rcall("DEL", rcall("ZPOPMIN", secrets)[1]) end
rcall("SET", secret, content, "PX", life)
rcall("ZADD", secrets, now + life, secret)
-- All secrets of a kind last equally long.
rcall("PEXPIRE", secrets, life)
