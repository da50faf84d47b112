import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local } from '../load.ts';
import { costRatios, measure, type Contender } from '../measure.ts';
import { figures, result, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { call } from '../service-calls.ts';

/** Of a topic, of which those that match are of as many queues. */
const SUBSCRIPTIONS = 1000;
const MATCHING = 100;
const CALLS = 60;

/** How many times what an add of as many jobs costs a message may. */
const MOST = 2;

const COUNTRIES = { matching: 'at', other: 'de' };
const MESSAGE = { name: 'paid', data: { customer: { country: COUNTRIES.matching }, total: 17.5 } };

const ADD = `an add of ${MATCHING} jobs`;
const PUBLISH = `a message to ${MATCHING} queues`;

/** A message of a topic beside an add of as many jobs, on Redis. */
export async function benchTopics(rounds: number): Promise<readonly Result[]> {
  const redis = await RedisServer.start();
  const service = await ServerProcess.service({ STORE_URI: redis.uri });
  const target = local(service);
  const contender = (name: string, path: string, body: unknown): Contender => ({
    name,
    service,
    store: costOf(redis.pid),
    run: async () => {
      for (let calls = 0; calls < CALLS; calls += 1) await call(target, 'POST', path, body);
      return CALLS * MATCHING;
    },
  });
  try {
    for (let number = 0; number < SUBSCRIPTIONS; number += 1) {
      const country = number < MATCHING ? COUNTRIES.matching : COUNTRIES.other;
      const filter = { data: { 'customer.country': [country] } };
      const subscription = { queue: `orders-${number}`, filter };
      await call(target, 'PUT', `/topics/orders/subscriptions/s${number}`, subscription);
    }
    const measured = await measure(
      [
        contender(ADD, '/queues/plain/jobs', new Array(MATCHING).fill(MESSAGE)),
        contender(PUBLISH, '/topics/orders', MESSAGE),
      ],
      rounds,
    );
    const [add, publish] = measured;
    const values = publish === undefined ? [] : costRatios(publish, add);
    const row = { name: `against ${ADD}, processor time`, values, unit: 'times', most: MOST };
    return [
      result('Messages of topics', 'jobs/s', measured),
      figures('Messages of topics: what one costs', [row]),
    ];
  } finally {
    await service.stop();
    await redis.stop();
  }
}
