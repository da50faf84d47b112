import { REPORT_MEMORY } from '../../../../domain/attempts/attempt-report.ts';

/** After a queue's prefix and before a token. No job can have such a key: ids of one colon are refused. */
export const REPORTS = 'jobgate:report-';

/**
 * Lua: remembers the report on an attempt, and removes its acceptance. Its first write takes no memory.
 */
export const REMEMBER_REPORT = `local function rememberReport(memory, accepted, acceptances, report, jobId)
  if redis.call("ZREM", accepted, jobId) == 1 then redis.call("HDEL", acceptances, jobId) end
  redis.call("SET", memory, report, "PX", ${REPORT_MEMORY})
end
`;
