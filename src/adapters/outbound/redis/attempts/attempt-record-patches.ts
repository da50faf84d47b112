import { OUTCOME_CODES, WITHOUT_RECORD } from '../layout/attempt-lines.ts';
import { RECORD_ATTEMPT, TAKEN_ATTEMPT } from './attempt-record-lua.ts';
import type { Patch } from './script-patch.ts';

/** For the scripts that take a job: its recorded attempts may be long, and a claim does not need them. */
export const takingWithoutRecord: readonly Patch[] = [
  {
    purpose: 'define a job without what is on record of its attempts',
    find: 'local function prepareJobForProcessing(',
    replace: `${WITHOUT_RECORD}local function prepareJobForProcessing(`,
  },
  {
    purpose: 'answer a job without what is on record of its attempts',
    find: 'return {record, jobId, 0, 0}',
    replace: 'return {withoutRecord(record), jobId, 0, 0}',
  },
];

/** For the stalled check. A job that must fail may stall although no attempt was made. */
export const recordingStalled: readonly Patch[] = [
  {
    purpose: 'define what goes on record of an attempt that stalled',
    find: 'local function increment(',
    replace: `${RECORD_ATTEMPT}${TAKEN_ATTEMPT}local function increment(`,
  },
  {
    purpose: 'put an attempt that stalled on record',
    find: 'local stalledCount = increment(jobKey, "stc")\n',
    replace: `if rcall("HEXISTS", jobKey, "defa") == 0 then
                        recordAttempt(jobKey, timestamp, takenAttempt(jobKey, "${OUTCOME_CODES.stalled}"))
                    end
                    local stalledCount = increment(jobKey, "stc")
`,
  },
];
