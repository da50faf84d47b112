-- In TypeScript: domain/transitions/suspend
--- @include "reading/decoded"
--- @include "attempts/steps"
--- @include "attempts/wait-again"

-- Answers that save steps and await nothing: their jobs wait again at once, ahead of others.
local function savedAnswers(queue, endings)
  local saved, kept = {}, {}

  -- Whether the answer may be saved. What is wrong with one that may not, attempts/suspend finds out.
  --
  -- value: as JSON, of each step its name and its value, held: what endings.takeFrom reads of the job
  function saved.admits(step, job, token, value, held)
    local steps, values, suspensions = stepsOf(job, held[9]), cjson.decode(value), rcall("HGET", job, SUSPENSIONS)
    local each, new = {steps = steps, suspensions = (tonumber(suspensions) or 0) + 1}, {}
    for index = 1, #values, 2 do
      if rcall("HEXISTS", job .. STEP_VALUES, values[index]) == 0 then
        countStep(steps, values[index], #values[index + 1])
        noteSaved(steps, token, values[index])
        new[#new + 1], new[#new + 2] = values[index], values[index + 1]
      end
    end
    each.new, kept[step] = new, each
    local most = string.find(held[4] or "", '"maxCalls"', 1, true) and tonumber(decoded(held[4]).maxCalls)
    return #new > 0 and each.suspensions <= (most or MOST_SUSPENSIONS) and not excessOf(steps)
  end

  -- Saves the steps of an admitted answer. The attempt does not count.
  function saved.save(step, id, call, held)
    local job, each, group = queue.prefix .. id, kept[step], held[10]
    rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY, COUNTED, DEFERRALS)
    for index = 1, #each.new, 2 do
      putStep(each.steps, each.new[index], STEP_OF_VALUE, queue.timestamp, each.new[index + 1])
    end
    held[9] = writeSteps(each.steps)
    rcall("HSET", job, SUSPENSIONS, each.suspensions, RECORDED, endings.lineOf(held, call))
    if group or (tonumber(rcall("HGET", job, "priority") or "") or 0) == 0 then
      rcall("LREM", queue.active, -1, id)
      requeue(queue, id, true, group)
    else
      giveBack(queue, id, 0, group)
    end
    endings.hasWaiting = true
  end

  return saved
end
