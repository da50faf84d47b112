-- Stores a session, and its digest with the others of its token. Beyond the most that the token may have, the oldest of
-- them ends.
--
-- held: sessions of the token by their ids: when each was opened (epoch ms), and its digest
-- life: milliseconds until it ends
-- most: how many sessions the token may have
-- base: start of the keys of sessions, before their digests

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
-- All sessions of a holder last equally long: the hash ends with the latest.
rcall("PEXPIRE", held, life)
return 1
