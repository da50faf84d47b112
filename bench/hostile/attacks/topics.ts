import { MAX_HEADERS } from '../../../src/domain/calls/endpoint-headers.ts';
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

/** Stores the same number, each with as many characters of headers as a destination may have. */
async function subscribeLarge(caller: Caller, topic: string): Promise<void> {
  const headers = { 'x-large': 'x'.repeat(MAX_HEADERS - 7) };
  const endpoint = { url: 'http://127.0.0.1:9/', headers };
  await caller.must('PUT', '/queues/attacked-0/policy', '{"endpoints":{"origins":["*"]}}');
  await several(8, SUBSCRIPTIONS, (at) => {
    const filter = { data: { key: [`${at}-${'x'.repeat(4000)}`, { prefix: 'to-all' }] } };
    const body = JSON.stringify({ queue: 'attacked-0', filter, endpoint });
    return caller.call('PUT', `${topic}/subscriptions/s${at}`, body);
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
  {
    name: '80 messages that each become 1000 jobs with 8 kB of headers, by 40 clients',
    prepare: (caller) => subscribeLarge(caller, TOPIC),
    run: (caller) =>
      several(40, 80, () => caller.call('POST', TOPIC, '{"name":"m","data":{"key":"to-all"}}')),
  },
  {
    name: '20 topics of 1000 subscriptions of 12 kB each, with a message for none of them to each',
    run: async (caller) => {
      for (let topic = 0; topic < 20; topic += 1) {
        await subscribeLarge(caller, `${TOPIC}-${topic}`);
        await caller.call('POST', `${TOPIC}-${topic}`, '{"name":"m","data":{"key":"to-none"}}');
      }
    },
  },
];
