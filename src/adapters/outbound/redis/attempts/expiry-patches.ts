import { EXPIRY_OF, FAIL_EXPIRED, STARTED_IN_TIME } from '../expiry/expired-jobs.ts';
import type { Patch } from './script-patch.ts';

/**
 * Fails a job at its start when its time to start is over. Its hash, which the claim reads anyway, is read before the
 * first write to it. The claimant is woken to ask for another job.
 */
export const failingExpiredJobs: readonly Patch[] = [
  {
    purpose: 'define how a job fails when its time to start is over',
    find: 'local function prepareJobForProcessing(',
    replace: `${FAIL_EXPIRED}${EXPIRY_OF}${STARTED_IN_TIME}local function prepareJobForProcessing(`,
  },
  {
    purpose: 'fail a job when its time to start is over',
    find: `    jobId, processedOn, maxJobs, limiterDuration, markerKey, opts)
  local jobKey = keyPrefix .. jobId
`,
    replace: `    jobId, processedOn, maxJobs, limiterDuration, markerKey, opts)
  local jobKey = keyPrefix .. jobId
  local record = redis.pcall("HGETALL", jobKey)
  local expires = expiryOf(record)
  if expires and expires <= tonumber(processedOn) then
    rcall("LREM", keyPrefix .. "active", 1, jobId)
    failExpired(keyPrefix, jobId, expires, processedOn, "waiting")
    addBaseMarkerIfNeeded(markerKey, false)
    return {0, 0, 0, 0}
  end
`,
  },
  {
    purpose: 'know how often the job started',
    find: '  increment(jobKey, "ats")\n',
    replace: '  local starts = increment(jobKey, "ats")\n',
  },
  {
    purpose: 'answer the record that was read before',
    find: '  return {rcall("HGETALL", jobKey), jobId, 0, 0}',
    replace: `  if expires then startedInTime(keyPrefix, jobId) end
  for _, value in ipairs({"processedOn", processedOn, "ats", string.format("%.0f", starts)}) do
    record[#record + 1] = value
  end
  return {record, jobId, 0, 0}`,
  },
];
