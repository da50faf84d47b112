import type { Attack } from '../attack.ts';
import { JOBS, oneJob, several } from '../steps.ts';

const CLIENTS = 8;

/** A filter of as many ids as one may have. */
const FILTER = { ids: Array.from({ length: 1000 }, (_, id) => `job-${id}`) };

/** As many patterns as a ticket may have, each as long as one may be. */
const PATTERNS = Array.from({ length: 100 }, (_, place) => `${place}*`.padEnd(200, 'a*'));

/** What the service remembers for a client, for a day or a minute. */
export const REMEMBERED: readonly Attack[] = [
  {
    name: '5000 adds with an Idempotency-Key each by eight clients',
    run: (caller) =>
      several(CLIENTS, 5000, (n) =>
        caller.call('POST', JOBS, oneJob('1'), { 'idempotency-key': `key-${n}` }),
      ),
  },
  {
    name: '5000 tickets for 100 patterns of 200 characters by eight clients',
    body: () => JSON.stringify({ queues: PATTERNS }),
    run: (caller, body) => several(CLIENTS, 5000, () => caller.call('POST', '/tickets', body)),
  },
  {
    name: '2000 previews of repairs of 1000 ids by eight clients',
    body: () =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'repair', arguments: { queue: 'large', action: 'retry', filter: FILTER } },
      }),
    run: (caller, body) => several(CLIENTS, 2000, () => caller.call('POST', '/mcp', body)),
  },
  {
    name: '5000 changes in the audit, searched 16 times by eight clients',
    prepare: (caller) => several(CLIENTS, 5000, () => caller.must('POST', '/queues/audited/pause')),
    run: (caller) =>
      several(CLIENTS, 16, () => caller.must('GET', '/audit?action=none.*&length=200')),
  },
];
