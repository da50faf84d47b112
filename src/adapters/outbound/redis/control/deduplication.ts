import type { Script } from '../connection/scripts.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';

/** The key under which the library keeps the id of the job that holds a deduplication id. */
export function deduplicationKey({ jobPrefix }: QueueKeys, id: string): string {
  return `${jobPrefix}de:${id}`;
}

/** KEYS: such a key. Answers the id of the job and the time that it has left in ms, -1 without an end. */
export const readDeduplicationScript: Script = {
  name: 'readDeduplication',
  numberOfKeys: 1,
  lua: `
local job = redis.call("GET", KEYS[1])
return job and {job, redis.call("PTTL", KEYS[1])}
`,
};
