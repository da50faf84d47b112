import type { Script } from '../connection/scripts.ts';
import { SUMMARY_OF } from './queue-summary.ts';

/** What `summaryOf` tells of one queue. KEYS: those of its statuses, seven of them. ARGV: job key prefix. */
export const summarizeQueueScript: Script = {
  name: 'summarizeQueue',
  numberOfKeys: 7,
  lua: `
${SUMMARY_OF}
return summaryOf(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], ARGV[1])
`,
};
