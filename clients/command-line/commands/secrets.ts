import type { Rewrap } from 'jobgate-client';
import { asking } from '../asking.ts';

export const secretsCommand = asking<Rewrap>({
  usage: 'secrets rewrap',
  summary: 'encrypt the secrets of workers with the first key of ENCRYPTION_KEYS',
  details: 'The service does this with its own keys. The token needs the right admin.',
  options: { 'dry-run': 'only count the secrets that would change' },
  sends: 'POST /secrets/rewrap',
  body: (call) => ({ dryRun: call.has('dry-run') }),
  shows: ({ matched, done, secrets }, call) => {
    const kept = Object.entries(secrets).map(([key, count]) => `${key}: ${count}`);
    const isDry = call.has('dry-run');
    const changed = isDry ? `Would rewrap ${matched} secrets` : `Rewrapped ${done} secrets`;
    return [changed, ...kept].join('\n');
  },
});
