-- Stores a session, and its digest with the others of its token. Beyond the most that the token may have, the oldest of
-- them ends.
--
-- KEYS[1] session
-- KEYS[2] sessions of the token by their ids: when each was opened, and its digest
--
-- ARGV[1] id
-- ARGV[2] digest
-- ARGV[3] the session as JSON
-- ARGV[4] when it was opened (epoch ms)
-- ARGV[5] milliseconds until it ends
-- ARGV[6] how many sessions the token may have
-- ARGV[7] what the keys of sessions begin with, before their digests

local session, held = KEYS[1], KEYS[2]
local id, digest, record, openedAt, life, most, base =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
if rcall("HLEN", held) >= most then
  local entries = rcall("HGETALL", held)
  local oldest, oldestAt, oldestDigest
  for place = 1, #entries, 2 do
    local at, its = string.match(entries[place + 1], "^(%d+) (.*)$")
    if not oldest or tonumber(at) < oldestAt then
      oldest, oldestAt, oldestDigest = entries[place], tonumber(at), its
    end
  end
  rcall("HDEL", held, oldest)
  rcall("DEL", base .. oldestDigest)
end
rcall("SET", session, record, "PX", life)
rcall("HSET", held, id, openedAt .. " " .. digest)
-- All sessions last equally long: the hash ends with the latest.
rcall("PEXPIRE", held, life)
return 1
