import type { Attack } from '../attack.ts';
import { withToken, type Caller } from '../caller.ts';
import { several, times } from '../steps.ts';

/** As many patterns as a token may have, each as long as one may be. */
const PATTERNS = Array.from({ length: 100 }, (_, place) => `${place}*`.padEnd(200, 'a*'));

function token(queues: readonly string[]): string {
  return JSON.stringify({ name: 'many', rights: ['read', 'tokens'], queues });
}

async function idOf(caller: Caller, body: string): Promise<string> {
  return ((await caller.read('POST', '/tokens', body)) as { id: string }).id;
}

export const TOKENS: readonly Attack[] = [
  {
    name: 'a token with 300,000 patterns, four times',
    body: () => token(Array.from({ length: 300_000 }, (_, place) => `queue-${place}-*`)),
    run: (caller, body) => times(4, () => caller.call('POST', '/tokens', body)),
  },
  {
    name: '1000 changes, each of one of 4000 tokens',
    prepare: (caller) => several(8, 4000, () => caller.call('POST', '/tokens', token(['mail-*']))),
    run: async (caller) => {
      const id = await idOf(caller, token(['mail-*']));
      await several(8, 1000, () => caller.call('PATCH', `/tokens/${id}`, '{"name":"changed"}'));
    },
  },
  {
    name: '10,000 times a token of 100 patterns of 200 characters, then ten pages',
    body: () => token(PATTERNS),
    run: async (caller, body) => {
      const maker = JSON.stringify({ name: 'maker', rights: ['read', 'tokens'] });
      const { token: made } = (await caller.read('POST', '/tokens', maker)) as {
        token: string;
      };
      await several(8, 10_000, () => caller.call('POST', '/tokens', body, withToken(made)));
      await times(10, () => caller.call('GET', '/tokens?length=100'));
    },
  },
  {
    name: '200 tokens made by one with 100 patterns, as many in each',
    body: () => token(PATTERNS),
    run: async (caller, body) => {
      const { token: maker } = (await caller.read('POST', '/tokens', body)) as { token: string };
      await times(200, () => caller.call('POST', '/tokens', body, withToken(maker)));
    },
  },
];
