-- In TypeScript: domain/transitions/signals
-- Keeps a signal for waits that begin before a time, in place of one of the same key. Returns 1, or 0 when the queue
-- keeps as many others as it may.
--
-- till: epoch ms
--- @include "adds/created-queue"
--- @include "attempts/waits"

forgetKept(prefix, now)
local kept = prefix .. SIGNALS_KEPT
if not rcall("ZSCORE", kept, key) and rcall("ZCARD", kept) >= MOST_KEPT_SIGNALS then return 0 end
createQueue(registry, meta)
rcall("ZADD", kept, till, key)
rcall("HSET", prefix .. SIGNAL_BODIES, key, body)
rcall("ZADD", prefix .. SIGNALS, 0, key)
return 1
