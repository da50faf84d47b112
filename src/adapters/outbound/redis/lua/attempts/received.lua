--- @include "attempts/accepted"

-- Accepts the jobs that a run took for clients that receive messages.
--
-- answers: what the run answers to each claim, tokenOf: the token of each, duration: for how many ms.
local function acceptReceived(queue, name, register, answers, tokenOf, duration)
  local accepted, acceptances = queue.prefix .. ACCEPTED, queue.prefix .. ACCEPTANCES
  local ends = string.format("%.0f", queue.timestamp + duration)
  for step, answer in ipairs(answers) do
    if type(answer) == "table" and answer[1] ~= 0 then
      rcall("ZADD", accepted, ends, answer[2])
      rcall("HSET", acceptances, answer[2], tokenOf(step) .. ":" .. queue.timestamp .. ":" .. ends)
    end
  end
  registerAccepted(register, accepted, name)
end
