-- Renews the locks of attempts. The check of a token and the write are one step: a token is invalid from the moment
-- that its attempt has ended or lost its job. Returns the positions, from 1, of those that had lost their jobs.
--
-- REST: of each attempt the id of the job and the token
--- @include "attempts/holds"

local lost = {}
for index = REST, #ARGV, 2 do
  local id, token = ARGV[index], ARGV[index + 1]
  local job = prefix .. id
  if holds(job, id, active, token) then
    -- The write that takes no memory goes first, or a store whose memory is used up refuses both.
    rcall("SREM", stalled, id)
    rcall("SET", job .. ":lock", token, "PX", duration)
  else
    table.insert(lost, (index - REST) / 2 + 1)
  end
end
return lost
