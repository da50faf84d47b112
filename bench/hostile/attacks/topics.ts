import type { Attack } from '../attack.ts';
import type { Caller } from '../caller.ts';
import { several } from '../steps.ts';

const SUBSCRIPTIONS = 1000;
const TOPIC = '/topics/attacked';

/** Stores as many subscriptions as a topic may have. @param filterOf by their numbers. */
async function subscribe(caller: Caller, filterOf: (at: number) => object): Promise<void> {
  await several(8, SUBSCRIPTIONS, (at) => {
    const body = JSON.stringify({ queue: `attacked-${at % 100}`, filter: filterOf(at) });
    return caller.call('PUT', `${TOPIC}/subscriptions/s${at}`, body);
  });
}

export const TOPICS: readonly Attack[] = [
  {
    name: '100 calls of 100 messages for 1000 subscriptions, of which 10 match, by eight clients',
    run: async (caller) => {
      await subscribe(caller, (at) => ({ data: { key: [{ prefix: `${at % 100}-` }] } }));
      const messages = Array.from({ length: 100 }, (_, at) => ({
        name: 'm',
        data: { key: `${at}-` },
      }));
      const body = JSON.stringify(messages);
      await several(8, 100, () => caller.call('POST', TOPIC, body));
    },
  },
  {
    name: '1000 subscriptions with filters of 4 kB, then 100 reads of their topic by eight clients',
    run: async (caller) => {
      await subscribe(caller, (at) => ({ data: { key: [`${at}-${'x'.repeat(4000)}`] } }));
      await several(8, 100, () => caller.call('GET', TOPIC));
    },
  },
];
