-- In TypeScript: domain/transitions/suspend
--- @include "reading/decoded"
--- @include "attempts/steps"
--- @include "attempts/wait-again"

-- Answers that save steps and await nothing: their jobs wait again at once, ahead of others.
--
-- fields: what endings.takeFrom reads of a job, to which they add some
local function savedAnswers(queue, endings, fields)
  local saved, kept = {fields = {unpack(fields, 1, 9)}}, {}
  saved.fields[10], saved.fields[11], saved.fields[12] = GROUP, SUSPENSIONS, "priority"

  -- Whether the answer may be saved. What is wrong with one that may not, attempts/suspend finds out.
  --
  -- value: as JSON, of each step its name and its value, held: what endings.takeFrom reads of the job
  function saved.admits(step, job, token, value, held)
    local steps, values, new = stepsOf(job, held[9]), cjson.decode(value), {}
    for index = 1, #values, 2 do
      if not held[9] or rcall("HEXISTS", job .. STEP_VALUES, values[index]) == 0 then
        countStep(steps, values[index], #values[index + 1])
        noteSaved(steps, token, values[index])
        new[#new + 1], new[#new + 2] = values[index], values[index + 1]
      end
    end
    local suspensions, priority = (tonumber(held[11]) or 0) + 1, tonumber(held[12]) or 0
    kept[step] = {steps = steps, new = new, suspensions = suspensions, goesBack = priority > 0 and not held[10]}
    local most = string.find(held[4] or "", '"maxCalls"', 1, true) and tonumber(decoded(held[4]).maxCalls)
    return #new > 0 and suspensions <= (most or MOST_SUSPENSIONS) and not excessOf(steps)
  end

  -- Whether the job goes back to a place that is known while it is active.
  function saved.goesBack(step) return kept[step].goesBack end

  -- Saves the steps of an admitted answer. The attempt does not count.
  function saved.save(step, id, call, held)
    local job, each, group = queue.prefix .. id, kept[step], held[10]
    rcall("HDEL", job, ATTEMPT, PROCESSED_BY, PULLED_BY, COUNTED, DEFERRALS)
    for index = 1, #each.new, 2 do
      putStep(each.steps, each.new[index], STEP_OF_VALUE, queue.timestamp, each.new[index + 1])
    end
    held[9] = stepsText(each.steps)
    rcall("HSET", job, STEPS, held[9], SUSPENSIONS, each.suspensions, RECORDED, endings.lineOf(held, call))
    if each.goesBack then giveBack(queue, id, 0) else requeue(queue, id, true, group, 0) end
    endings.hasWaiting = true
  end

  return saved
end
