import {
  MOST_REMEMBERED,
  REMEMBERED_FOR,
  REMEMBERED_PIECE,
  type AddIdentity,
} from '../../../../domain/jobs/add-identity.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';
import type { PolicyDefaults } from '../../../../domain/policies/policy.ts';
import type { Script } from '../connection/scripts.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import type { AddAnswer, AddRun } from './shared-adds.ts';

/*
 * An add of a key is remembered by the run that stores its jobs, so that neither is ever without the other. The
 * record of an add begins with its time and a colon; what follows is JSON: the digest of its body, the number of
 * its first job, the jobs that existed, and the defaults that its jobs were made with, as text. All others have
 * the numbers that follow, or ids of their own. The claim of an add that stores its jobs in several runs has no
 * time: it only spares others the work.
 *
 * A list of the queue holds the times and keys, oldest first, each as often as its record takes pieces.
 */

/** A job that existed before its add, by its position. */
type Existing = readonly [position: number, id: string, isDeduplicated: 0 | 1, bytes: number];

/** The answer of a script when the key of an add is known. */
export type Recalled =
  | readonly ['other' | 'running']
  | readonly [
      'repeated',
      timestamp: string,
      first: string,
      existing: readonly Existing[],
      defaults?: string,
    ];

/** The identity of an add, and the other fields of its record. */
export interface RecordedIdentity extends AddIdentity {
  /** The defaults that its jobs were made with, as JSON. */
  readonly defaults: string;
}

/** How long the claim of a large add keeps others from doing the same work, in milliseconds: about its duration. */
const CLAIMED_FOR = 5000;

/** Expired adds that one run removes: more than one, so that their number decreases. */
const MOST_EXPIRED = 10;

/** The keys of an add, in the order in which the scripts expect them. */
export function identityKeys({ idempotency }: QueueKeys, { key }: AddIdentity): readonly string[] {
  return [`${idempotency}-${key}`, idempotency];
}

/** Records of a version without policies have none. */
export function defaultsOf(recorded = '{}'): PolicyDefaults {
  return JSON.parse(recorded) as PolicyDefaults;
}

/** The jobs of an add according to its record. */
export function recalledRun(
  jobs: readonly NewJob[],
  timestamp: string,
  first: string,
  existing: readonly Existing[],
): AddRun {
  const answers = jobs.map(({ opts }, index): AddAnswer => {
    return opts.jobId ?? String(Number(first) + index);
  });
  for (const [position, id, isDeduplicated, bytes] of existing) {
    answers[position] = isDeduplicated === 1 ? [id, bytes, 1] : [id, bytes];
  }
  return { answers, timestamp: Number(timestamp) };
}

/** Lua: a function that returns the record for the key of an add, or nothing when the key is unknown. */
const RECALL = `local function recall(record, body, jobPrefix)
  local known = call("GET", record)
  if not known then return nil end
  local timestamp, text = string.match(known, "^(%d*):(.*)$")
  local add = cjson.decode(text)
  if add[1] ~= body then return {"other"} end
  if timestamp == "" then return {"running"} end
  for _, existing in ipairs(add[3]) do
    local job = jobPrefix .. existing[2]
    existing[4] = call("TYPE", job).ok == "hash" and bytesOf(job) or 0
  end
  return {"repeated", timestamp, add[2], add[3], add[4]}
end
`;

/**
 * Lua: a function that remembers an add with these answers. The script has checked everything that could fail: the
 * record is a string or does not exist, and the adds are a list or do not exist.
 */
const REMEMBER = `local function remember(record, records, body, defaults, timestamp, first, answers)
  local existing = {}
  for index, answer in ipairs(answers) do
    if type(answer) == "table" then existing[#existing + 1] = {index - 1, answer[1], answer[3] or 0} end
  end
  local text = timestamp .. ":" .. cjson.encode({body, first, existing, defaults})
  call("SET", record, text, "PX", ${REMEMBERED_FOR})
  local entry = timestamp .. ":" .. string.sub(record, #records + 2)
  for _ = 1, math.ceil(#text / ${REMEMBERED_PIECE}) do call("RPUSH", records, entry) end
  call("PEXPIRE", records, ${REMEMBERED_FOR})

  local excess = call("LLEN", records) - ${MOST_REMEMBERED}
  local old = call("LRANGE", records, 0, math.max(excess, ${MOST_EXPIRED}) - 1)
  local gone = 0
  for index, each in ipairs(old) do
    local time, key = string.match(each, "^(%d+):(.*)$")
    if index > excess and tonumber(time) + ${REMEMBERED_FOR} > tonumber(timestamp) then break end
    -- A key that was forgotten may have been given to a later add, which is not meant.
    local other = records .. "-" .. key
    if call("GETRANGE", other, 0, #time) == time .. ":" then call("UNLINK", other) end
    gone = index
  end
  if gone > 0 then call("LTRIM", records, gone, -1) end
end
`;

/** The parts of the script of an add that recognize and remember its key. */
export interface Remembering {
  readonly name: string;
  readonly keys: number;
  /** How many arguments it takes before those of the jobs. */
  readonly args: number;
  /** Lua: ends the script when the add is known, or has no jobs. */
  readonly recall: string;
  /** Lua: removes the claim of a refused add, so that the next one need not wait for it. */
  readonly refuse: string;
  /** Lua: ends the script after the `answers` for the jobs of numbers from `first` on. */
  readonly remember: string;
}

export const notRemembering: Remembering = {
  name: '',
  keys: 0,
  args: 0,
  recall: '',
  refuse: '',
  remember: 'return answers',
};

/**
 * KEYS and ARGV, behind those of the script: `identityKeys`; the digest of the body, the defaults.
 *
 * @param isClaimed whether the add itself holds the claim, so that a claim does not stop it.
 */
export function remembering(isClaimed: boolean): Remembering {
  return {
    name: 'Once',
    keys: 2,
    args: 2,
    recall: `local record, records, body, defaults = KEYS[11], KEYS[12], ARGV[6], ARGV[7]
${RECALL}
${REMEMBER}
local known = recall(record, body, jobPrefix)
if known${isClaimed ? ' and known[1] ~= "running"' : ''} then return known end
call("LLEN", records)
if #ARGV < FIRST then
  remember(record, records, body, defaults, timestamp, "1", {})
  return {"added", {}}
end
`,
    refuse: isClaimed ? 'call("UNLINK", record)' : '',
    remember: `remember(record, records, body, defaults, timestamp, string.format("%.0f", first), answers)
return {"added", answers}`,
  };
}

/** Lua: the functions with which `RECALL` and the scripts of adds measure a job in an answer. */
export const BYTES_OF = `local function bytesOf(job)
  return call("HSTRLEN", job, "name") + call("HSTRLEN", job, "data") + call("HSTRLEN", job, "opts")
    + call("HSTRLEN", job, "progress") + call("HSTRLEN", job, "returnvalue")
    + call("HSTRLEN", job, "failedReason") + call("HSTRLEN", job, "stacktrace")
end
`;

/** Returns the record for the key of an add. KEYS: `identityKeys`. ARGV: job key prefix, digest of the body. */
export const recallAddScript: Script = {
  name: 'recallAdd',
  numberOfKeys: 2,
  lua: `
local call = redis.call
${BYTES_OF}
${RECALL}
return recall(KEYS[1], ARGV[2], ARGV[1])
`,
};

/**
 * Claims the key of an add that stores its jobs in several runs, and answers nothing when it is free. KEYS:
 * `identityKeys`. ARGV: job key prefix, digest of the body.
 */
export const claimAddScript: Script = {
  name: 'claimAdd',
  numberOfKeys: 2,
  lua: `
local call = redis.call
${BYTES_OF}
${RECALL}
local known = recall(KEYS[1], ARGV[2], ARGV[1])
if known then return known end
call("SET", KEYS[1], ":" .. cjson.encode({ARGV[2]}), "PX", ${CLAIMED_FOR})
return false
`,
};
