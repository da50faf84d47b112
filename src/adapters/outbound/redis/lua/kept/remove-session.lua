-- Removes a session. Returns 1, or 0 when it did not exist.
--
-- held: sessions of the token by their ids

rcall("HDEL", held, id)
return rcall("DEL", session)
