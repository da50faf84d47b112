import { MAY_START, NOTE_END } from '../schedulers/schedule-lua.ts';
import type { Patch } from './script-patch.ts';

/** A job whose slot is to be skipped is put aside where it would start, and whoever claimed is told which it is. */
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

/** In the script that delays a job and takes the next one. */
export const tellingSkipped: Patch = {
  purpose: 'answer which job was put aside',
  find: '        if result and type(result[1]) == "table" then\n',
  replace: `        if result and (type(result[1]) == "table" or type(result[2]) == "string") then
`,
};

/** In the script that ends jobs. It comes after those that define which jobs of schedulers may start. */
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
