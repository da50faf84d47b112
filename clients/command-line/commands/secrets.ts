import type { Rewrap } from 'jobgate-client';
import type { Command } from '../command.ts';

export const secretsCommand: Command = {
  name: 'secrets rewrap',
  takes: '',
  count: [0, 0],
  summary: 'encrypt the secrets of workers with the first key of ENCRYPTION_KEYS',
  details: 'The service does this with its own keys. The token needs the right admin.',
  options: { 'dry-run': { meaning: 'only count the secrets that would change' } },
  run: async (call) => {
    const dryRun = call.has('dry-run');
    const answer = await call.request<Rewrap>('POST', '/secrets/rewrap', { body: { dryRun } });
    call.answer(answer, ({ matched, done, secrets }) => {
      const kept = Object.entries(secrets).map(([key, count]) => `${key}: ${count}`);
      const changed = dryRun ? `Would rewrap ${matched} secrets` : `Rewrapped ${done} secrets`;
      return [changed, ...kept].join('\n');
    });
  },
};
