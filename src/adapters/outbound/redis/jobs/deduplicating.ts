import { addStandardJob } from 'bullmq/dist/cjs/scripts/index.js';
import { libraryFunctions } from '../attempts/library-functions.ts';
import { patchScript } from '../attempts/script-patch.ts';

/** The functions that the library applies to a job with a deduplication id before storing it. */
const DEDUPLICATING = [
  'getNextDelayedTimestamp',
  'addDelayMarkerIfNeeded',
  'getDelayedScore',
  'addDelayedJob',
  'setDeduplicationKey',
  'recoverStaleDeduplicationKey',
  'checkItemInList',
  'storeDeduplicatedNextJob',
  'deduplicateJobWithoutReplace',
  'removeJobKeys',
  'removeDelayedJob',
  'deduplicateJob',
];

/** How the script of an add takes jobs with deduplication ids, each part of it as Lua. */
export interface Deduplicating {
  readonly name: string;
  /** How many arguments it takes behind those of each job. */
  readonly fields: number;
  /** Checks everything that could fail, before the script writes. */
  readonly check: string;
  /** Whether the job at `index` has a deduplication id. */
  readonly isAsked: string;
  /** Whether the job at `index` would be stored, if the jobs before it were as they would be. */
  readonly wouldStore: string;
  /** What may be done instead of storing the job at `index`; `close` ends what it begins. */
  readonly open: string;
  readonly close: string;
  /** What stands in the hash of the job beside the rest, once it is stored. */
  readonly note: string;
}

export const notDeduplicating: Deduplicating = {
  name: '',
  fields: 0,
  check: '',
  isAsked: 'false',
  wouldStore: 'true',
  open: '',
  close: '',
  note: '',
};

/**
 * By the library's own functions, so that the keys and events are its own (docs/adr/0004). The argument of a job is
 * its deduplication as JSON, empty when it has none.
 *
 * @param content Lua: the data and options of the job at `index`.
 * @param drop Lua: drops the job at `index` when it is not stored.
 * @throws Error when the installed library is not the one that this was tested with.
 */
export function deduplicating(content: string, drop: string): Deduplicating {
  const { lua } = patchScript(addStandardJob, [
    {
      purpose: 'keep the options of the next job as they were given',
      find: 'cjson.encode(fullOpts)',
      replace: 'fullOpts["text"]',
    },
  ]);
  return {
    name: 'Deduplicated',
    fields: 1,
    check: `local rcall = call
${libraryFunctions(lua, DEDUPLICATING)}
call("ZCARD", delayed)
call("LLEN", active)
local deduplications = {}
for index = FIRST, #ARGV, FIELDS do
  local text = ARGV[index + FIELDS - 1]
  if text ~= "" then
    local deduplication = cjson.decode(text)
    deduplications[index] = deduplication
    local standing = call("GET", jobPrefix .. "de:" .. deduplication["id"])
    local kind = standing and call("TYPE", jobPrefix .. standing).ok
    if kind and kind ~= "hash" and kind ~= "none" then
      return redis.error_reply("WRONGTYPE " .. jobPrefix .. standing .. " is not a job")
    end
  end
end
local standings = {}
local function standingFor(key)
  if standings[key] then return standings[key] end
  local id = call("GET", key)
  return id and {id = id, isDelayed = call("ZSCORE", delayed, id), isGone = call("EXISTS", jobPrefix .. id) == 0,
    isEndless = call("PTTL", key) == -1}
end
-- Whether the job at the index would be stored, which frees the id of one that it replaces.
local function wouldStore(index, id, isDelayed, taken, freed)
  local deduplication = deduplications[index]
  if not deduplication then return true end
  local key = jobPrefix .. "de:" .. deduplication["id"]
  local standing = standingFor(key)
  local isReplaced = standing and deduplication["replace"] and standing.isDelayed
  if isReplaced then taken[standing.id], freed[standing.id] = nil, true end
  if not standing or isReplaced or standing.isGone and standing.isEndless then
    standings[key] = {id = id, isDelayed = isDelayed}
    return true
  end
  local isExtended = deduplication["extend"] and not deduplication["replace"] and (deduplication["ttl"] or 0) > 0
  if isExtended and deduplication["keepLastIfActive"] then standing.isEndless = true end
  standings[key] = standing
  return false
end
-- The job that stands for the deduplication id of the one at the index, and nothing when that is to be stored.
local function deduplicate(index, id, name, delay, bytes, maxEvents)
  local deduplication = deduplications[index]
  if not deduplication then return nil end
  local key = jobPrefix .. "de:" .. deduplication["id"]
  local before = call("GET", key)
  ${content}
  local standing = deduplicateJob(deduplication, id, delayed, key, events, maxEvents, jobPrefix, name, data,
    {delay = tonumber(delay), text = opts}, nil, nil, nil, nil, timestamp)
  if before and bytes[before] and call("EXISTS", jobPrefix .. before) == 0 then bytes[before] = nil end
  return standing
end
`,
    isAsked: 'deduplications[index]',
    wouldStore: 'wouldStore(index, id, delay ~= "0", taken, freed)',
    open: `local standing = deduplicate(index, id, name, delay, bytes, maxEvents)
    if standing then
      local job = jobPrefix .. standing
      answers[#answers + 1] = {standing, call("EXISTS", job) == 1 and bytesOf(job) or 0, 1}
      ${drop}
    else`,
    close: 'end',
    note: `if deduplications[index] then call("HSET", job, "deid", deduplications[index]["id"]) end`,
  };
}
