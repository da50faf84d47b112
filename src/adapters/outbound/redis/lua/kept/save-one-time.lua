-- Stores a secret that can be used once. Beyond the most secrets of an owner within their life, used ones included, the
-- oldest of them ends.
--
-- KEYS[1] secret
-- KEYS[2] keys of the secrets of the owner, by the time when they end
--
-- ARGV[1] its content
-- ARGV[2] milliseconds until it ends
-- ARGV[3] how many secrets the owner may have

--- @include "reading/store-time"

local secret, secrets = KEYS[1], KEYS[2]
local content, life, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local now = storeTime()
rcall("ZREMRANGEBYSCORE", secrets, "-inf", now)
if rcall("ZCARD", secrets) >= most then rcall("DEL", rcall("ZPOPMIN", secrets)[1]) end
rcall("SET", secret, content, "PX", life)
rcall("ZADD", secrets, now + life, secret)
-- All secrets of a kind last equally long.
rcall("PEXPIRE", secrets, life)
