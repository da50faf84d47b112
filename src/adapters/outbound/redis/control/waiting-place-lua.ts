/** How far from either end of a list of waiting jobs a script looks for one of them: less than a millisecond's work. */
export const REACH = 10_000;

/** How far it looks at first, where jobs are that were brought together. */
const NEAR = 3000;

/** What a guarded script answers, with nothing done, when its job waits deeper in a list than it looks. */
export const TOO_DEEP = -101;

/**
 * Lua: the end of the lists of waiting jobs, as LREM and LPOS count from it, from which a job is found soonest; nothing
 * when it is deeper in a long list than `reach`. Waiting jobs are in two lists where an older BullMQ paused the queue.
 */
export const END_NEAR_TO = `local function endNearTo(jobPrefix, id, reach)
  local isAnyLong = false
  for _, list in ipairs({jobPrefix .. "wait", jobPrefix .. "paused"}) do
    if redis.call("LLEN", list) > reach then
      isAnyLong = true
      for _, most in ipairs({${NEAR}, reach}) do
        for _, rank in ipairs({-1, 1}) do
          if redis.call("LPOS", list, id, "RANK", rank, "MAXLEN", most) then return rank end
        end
      end
    end
  end
  if not isAnyLong then return -1 end
end
`;
