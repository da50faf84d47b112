import type { Script } from '../connection/scripts.ts';
import { SUMMARY_OF } from './queue-summary.ts';

/** The `summaryOf` one queue. KEYS: the seven of its statuses. ARGV: job key prefix. */
export const summarizeQueueScript: Script = {
  name: 'summarizeQueue',
  numberOfKeys: 7,
  lua: `
${SUMMARY_OF}
return summaryOf(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], ARGV[1])
`,
};
