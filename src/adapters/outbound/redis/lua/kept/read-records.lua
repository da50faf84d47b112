-- Reads records: the first of them, one at least, and as many as one command may read. Returns their texts, empty for
-- none.
--
-- REST: ids of records

local texts, room = {}, LARGEST_PIECE
for index = REST, #ARGV do
  local text = rcall("HGET", records, ARGV[index]) or ""
  room = room - #text
  if room < 0 and index > REST then break end
  texts[#texts + 1] = text
end
return texts
