import { RedisServer } from '../support/redis/redis-server.ts';
import { describeClockSteps, type Place } from './support/clock-steps.ts';

describeClockSteps('memory', 'service', () =>
  Promise.resolve({ environment: { STORE: 'memory' }, stop: () => Promise.resolve() }),
);

async function onRedis(): Promise<Place> {
  const server = await RedisServer.start();
  return { environment: { STORE_URI: server.uri }, stop: () => server.stop() };
}

for (const side of ['store', 'both'] as const) describeClockSteps('redis', side, onRedis);
