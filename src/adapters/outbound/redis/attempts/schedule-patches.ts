import { MAY_START, NOTE_END } from '../schedulers/schedule-lua.ts';
import type { Patch } from './script-patch.ts';

/** Puts a job aside at its start when its slot is to be skipped. The answer to the claim names it. */
export const skippingSlots: readonly Patch[] = [
  {
    purpose: 'define which jobs of schedulers may start',
    find: 'local function prepareJobForProcessing(',
    replace: `${MAY_START}local function prepareJobForProcessing(`,
  },
  {
    purpose: 'put a job of a scheduler aside that may not start',
    find: '  local record = redis.pcall("HGETALL", jobKey)\n',
    replace: `  if not mayStart(keyPrefix, jobId, processedOn) then
    addBaseMarkerIfNeeded(markerKey, false)
    return {0, jobId, 0, 0}
  end
  local record = redis.pcall("HGETALL", jobKey)
`,
  },
];

/** For the script that delays a job and takes the next one. */
export const returningSkipped: Patch = {
  purpose: 'answer which job was put aside',
  find: '        if result and type(result[1]) == "table" then\n',
  replace: `        if result and (type(result[1]) == "table" or type(result[2]) == "string") then
`,
};

/** For the script that ends jobs, after the patches that define which jobs of schedulers may start. */
export const notingEnds: readonly Patch[] = [
  {
    purpose: 'define how the end of a job of a scheduler is noted',
    find: 'local jobIdKey = KEYS[12]\n',
    replace: `${NOTE_END}local jobIdKey = KEYS[12]
`,
  },
  {
    purpose: 'note the end of a job of a scheduler',
    find: '    -- Collect metrics\n',
    replace: `    noteEnd(prefix, jobId, timestamp)
    -- Collect metrics
`,
  },
];
