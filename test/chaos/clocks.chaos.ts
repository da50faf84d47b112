import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { describeClockSteps } from './support/clock-steps.ts';

describeClockSteps('embedded', 'service', () => {
  const folder = new TemporaryFolder();
  const stop = (): Promise<void> => {
    folder.remove();
    return Promise.resolve();
  };
  return Promise.resolve({ environment: { STORE_PATH: folder.in('data') }, stop });
});

describeClockSteps('redis', 'service', async () => {
  const server = await RedisServer.start();
  return { environment: { STORE_URI: server.uri }, stop: () => server.stop() };
});

for (const side of ['service', 'store', 'both'] as const) {
  describeClockSteps('postgres', side, async () => {
    const server = await PostgresServer.start();
    return { environment: { STORE_URI: server.uri }, stop: () => server.stop() };
  });
}
