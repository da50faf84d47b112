import type { Attack } from '../attack.ts';
import { MEGABYTE } from '../steps.ts';

export const PROBES: readonly Attack[] = [
  {
    name: 'five connections that pipeline 21 MB of readiness probes',
    run: (caller) => {
      const probe = 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const bytes = Buffer.from(probe.repeat(Math.ceil((21 * MEGABYTE) / probe.length)));
      return Promise.all(Array.from({ length: 5 }, () => caller.flood(bytes, 8000)));
    },
  },
];
