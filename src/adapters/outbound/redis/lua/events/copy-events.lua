-- Copies the next entries of a stream of events, some of them with other fields. The run that reaches the end puts the
-- copy in the place of the stream: with the entries that the stream has by then, and the id that its next one follows.
-- Returns the id of the last entry that was copied, or at the end 1, or 0 when the copy is of no use, since another one
-- replaced the stream.
--
-- before: the token in `replaced` when the copy began, empty for none
-- most: how many entries to copy
-- life: how long to keep the copy (ms)
-- tokenLife: how long to keep the token (ms)
-- from: the first id to copy, or "-"
-- REST: of each of the next entries with other fields its id, how many fields and values, and these

if (rcall("GET", replaced) or "") ~= before then
  rcall("UNLINK", copy)
  return 0
end

-- A store whose memory is full accepts what comes after a first write that takes none.
rcall("PEXPIRE", copy, life)

local edited, at = {}, REST
while at <= #ARGV do
  local count = tonumber(ARGV[at + 1])
  edited[ARGV[at]] = {unpack(ARGV, at + 2, at + 1 + count)}
  at = at + 2 + count
end

local entries = rcall("XRANGE", events, from, "+", "COUNT", most)
for _, entry in ipairs(entries) do
  rcall("XADD", copy, entry[1], unpack(edited[entry[1]] or entry[2]))
end
rcall("PEXPIRE", copy, life)
if #entries == most then return entries[#entries][1] end

-- Entries are only added at the end and dropped at the beginning, so the copy has all that are left. What a client
-- removes from the middle, the copy must lose too: it begins anew.
local length = rcall("XLEN", events)
rcall("XTRIM", copy, "MAXLEN", length)
if length == 0 then return 1 end
local first = rcall("XRANGE", events, "-", "+", "COUNT", 1)
if rcall("XLEN", copy) ~= length or rcall("XRANGE", copy, "-", "+", "COUNT", 1)[1][1] ~= first[1][1] then
  rcall("UNLINK", copy)
  return 0
end

local stream = rcall("XINFO", "STREAM", events)
for index = 1, #stream, 2 do
  if stream[index] == "last-generated-id" then rcall("XSETID", copy, stream[index + 1]) end
end
for _, group in ipairs(rcall("XINFO", "GROUPS", events)) do
  local known = {}
  for index = 1, #group, 2 do known[group[index]] = group[index + 1] end
  rcall("XGROUP", "CREATE", copy, known.name, known["last-delivered-id"])
end
rcall("PERSIST", copy)
rcall("UNLINK", events)
rcall("RENAME", copy, events)
rcall("SET", replaced, token, "PX", tokenLife)
return 1
