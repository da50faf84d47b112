-- Copies the next entries of a stream of events, some of them with other fields. The run that reaches the end puts the
-- copy in the place of the stream: with the entries that the stream has by then, and the id that its next one follows.
-- Returns the id of the last entry that was copied, or at the end 1, or 0 when the copy is of no use, since another one
-- replaced the stream.
--
-- KEYS[1] events
-- KEYS[2] the copy
-- KEYS[3] the token of the last copy that replaced the stream
--
-- ARGV[1] the token of KEYS[3] when the copy began, empty for none
-- ARGV[2] the token of this copy
-- ARGV[3] how many entries to copy
-- ARGV[4] how long to keep the copy (ms)
-- ARGV[5] how long to keep the token (ms)
-- ARGV[6] the first id to copy, or "-"
-- ARGV[7…] of each of the next entries with other fields its id, how many fields and values, and these

local events, copy, replaced = KEYS[1], KEYS[2], KEYS[3]

if (rcall("GET", replaced) or "") ~= ARGV[1] then
  rcall("UNLINK", copy)
  return 0
end

-- A store whose memory is full accepts what comes after a first write that takes none.
rcall("PEXPIRE", copy, ARGV[4])

local edited, at = {}, 7
while at <= #ARGV do
  local count = tonumber(ARGV[at + 1])
  edited[ARGV[at]] = {unpack(ARGV, at + 2, at + 1 + count)}
  at = at + 2 + count
end

local entries = rcall("XRANGE", events, ARGV[6], "+", "COUNT", ARGV[3])
for _, entry in ipairs(entries) do
  rcall("XADD", copy, entry[1], unpack(edited[entry[1]] or entry[2]))
end
rcall("PEXPIRE", copy, ARGV[4])
if #entries == tonumber(ARGV[3]) then return entries[#entries][1] end

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
rcall("SET", replaced, ARGV[2], "PX", ARGV[5])
return 1
