import type { Command } from './command.ts';
import { UsageError } from './terminal.ts';

interface Rewrap {
  readonly matched: number;
  readonly done: number;
  readonly secrets: Readonly<Record<string, number>>;
}

export const secretsCommand: Command = {
  name: 'secrets',
  takes: 'rewrap',
  count: [1, 1],
  summary: 'encrypt the secrets of workers with the first of ENCRYPTION_KEYS',
  details: 'The service does it, with its own keys. The token needs the right admin.',
  options: { 'dry-run': { meaning: 'only count those that would change' } },
  run: async (call) => {
    if (call.names[0] !== 'rewrap') throw new UsageError('Usage: jobgate secrets rewrap');
    const dryRun = call.has('dry-run');
    const answer = await call.api.post<Rewrap>('/secrets/rewrap', { dryRun });
    call.answer(answer, ({ matched, done, secrets }) => {
      const kept = Object.entries(secrets).map(([key, count]) => `${key}: ${count}`);
      const changed = dryRun ? `Would rewrap ${matched} secrets` : `Rewrapped ${done} secrets`;
      return [changed, ...kept].join('\n');
    });
  },
};
