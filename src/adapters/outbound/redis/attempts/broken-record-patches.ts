import { ATTEMPT } from './attempt-token.ts';
import type { Patch } from './script-patch.ts';

/*
 * Values of other programs must not stop a queue: a script that throws has done half of its work, and does so at every
 * run. Where BullMQ's scripts read an unusable field of a job, the patched ones continue without it.
 */

/** A count that is not an integer starts again. */
const INCREMENT = `local function increment(jobKey, field)
    local count = redis.pcall("HINCRBY", jobKey, field, 1)
    if type(count) == "table" then
        rcall("HSET", jobKey, field, 1)
        return 1
    end
    return count
end
`;

const defineIncrement: Patch = {
  purpose: 'define how a count of a job goes up',
  find: 'local rcall = redis.call\n',
  replace: `local rcall = redis.call\n${INCREMENT}`,
};

function countAnew(jobKey: string, field: string): Patch {
  return {
    purpose: `begin ${field} of a job anew when it is no integer`,
    find: `rcall("HINCRBY", ${jobKey}, "${field}", 1)`,
    replace: `increment(${jobKey}, "${field}")`,
  };
}

/** Also writes the token of the attempt to the job, in the same command. */
const skipWhatIsNoJob: Patch = {
  purpose: 'drop an id from the queue under which no job is stored',
  find: '  rcall("HMSET", jobKey, "processedOn", processedOn, unpack(optionalValues))\n',
  replace: `  local written = redis.pcall("HMSET", jobKey, "processedOn", processedOn,
    "${ATTEMPT}", processedOn .. ":" .. (opts['nextToken'] or opts['token']), unpack(optionalValues))
  if written["err"] and string.find(written["err"], "WRONGTYPE", 1, true) then
    rcall("LREM", keyPrefix .. "active", 1, jobId)
    rcall("DEL", jobKey .. ":lock")
    addBaseMarkerIfNeeded(markerKey, false)
    return {0, 0, 0, 0}
  elseif written["err"] then
    return error(written["err"])
  end
`,
};

/** For the scripts that take a job. */
export const takingBrokenRecords: readonly Patch[] = [
  defineIncrement,
  countAnew('jobKey', 'ats'),
  skipWhatIsNoJob,
];

export const finishingBrokenRecords: readonly Patch[] = [
  countAnew('jobIdKey', 'atm'),
  {
    purpose: 'finish a job whose parent cannot be read as one without a parent',
    find: '    local parentKey = jobAttributes[1] or ""\n',
    replace: `    if jobAttributes[2] then
      local isParent, parent = pcall(cjson.decode, jobAttributes[2])
      if not isParent or type(parent) ~= "table" or type(parent["id"]) ~= "string" or
          type(parent["queueKey"]) ~= "string" then
        jobAttributes[2] = false
      end
    end
    local parentKey = jobAttributes[1] or ""
    if not string.find(parentKey, ":", 1, true) then
      parentKey = ""
    end
`,
  },
  {
    purpose: 'add a deduplicated job whose options cannot be read without them',
    find: '    local newOpts = cjson.decode(nextData[3])\n',
    replace: `    local isOpts, newOpts = pcall(cjson.decode, nextData[3] or "{}")
    if not isOpts or type(newOpts) ~= "table" then
      newOpts = {}
    end
`,
  },
];

export const delayingBrokenRecords: readonly Patch[] = [countAnew('jobKey', 'atm')];

export const retryingBrokenRecords: readonly Patch[] = [
  defineIncrement,
  countAnew('jobKey', 'atm'),
];

export const recoveringBrokenRecords: readonly Patch[] = [
  defineIncrement,
  countAnew('jobKey', 'stc'),
];
